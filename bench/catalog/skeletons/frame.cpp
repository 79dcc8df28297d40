// An algorithm for PROBLEM. It is right, but not good: put something better into solve, at the end.
//
//     g++ -O2 -o mine FILE
//     schedgap algorithm check PROBLEM -- ./mine
//
// An instance comes in on standard input, a solution goes out on standard output, both JSON. SCHEDGAP_SEED is the seed of a
// random algorithm, and after SCHEDGAP_TIME_LIMIT_SECONDS the solution must be printed.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// A reader of JSON, enough for instances.
struct Json {
  double number = 0;  // true is 1
  std::string text;
  std::vector<Json> list;
  std::vector<std::pair<std::string, Json>> fields;

  const Json* find(const std::string& key) const {
    for (const auto& f : fields)
      if (f.first == key) return &f.second;
    return nullptr;
  }
  const Json& operator[](const std::string& key) const {
    if (const Json* f = find(key)) return *f;
    throw std::runtime_error("the instance has no " + key);
  }
  double get(const std::string& key, double otherwise) const {
    const Json* f = find(key);
    return f ? f->number : otherwise;
  }
};

struct Reader {
  const std::string& s;
  size_t at = 0;

  char next() {
    while (at < s.size() && std::isspace(static_cast<unsigned char>(s[at]))) ++at;
    if (at == s.size()) throw std::runtime_error("the instance ends too early");
    return s[at];
  }
  bool take(char c) { return next() == c && ++at; }
  std::string string() {
    std::string out;
    if (!take('"')) throw std::runtime_error("a text is missing");
    for (; at < s.size() && s[at] != '"'; ++at) {
      if (s[at] == '\\' && ++at < s.size() && s[at] != '"' && s[at] != '\\' && s[at] != '/') out += '\\';
      if (at < s.size()) out += s[at];
    }
    ++at;
    return out;
  }
  Json value() {
    Json v;
    if (take('{')) {
      while (!take('}')) {
        std::string key = string();
        take(':');
        v.fields.emplace_back(key, value());
        take(',');
      }
    } else if (take('[')) {
      while (!take(']')) {
        v.list.push_back(value());
        take(',');
      }
    } else if (next() == '"') {
      v.text = string();
    } else if (std::isalpha(static_cast<unsigned char>(next()))) {
      v.number = s[at] == 't';
      while (at < s.size() && std::isalpha(static_cast<unsigned char>(s[at]))) ++at;
    } else {
      char* end;
      v.number = std::strtod(s.c_str() + at, &end);
      if (end == s.c_str() + at) throw std::runtime_error("the instance is not JSON");
      at = end - s.c_str();
    }
    return v;
  }
};

// A text as JSON has it. Ids have no characters that would need more.
std::string quoted(const std::string& s) { return '"' + s + '"'; }

BODY

int main() {
  const std::string input((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  const Json instance = Reader{input}.value();
  if (instance["problem"].text != "PROBLEM") {
    std::cerr << "it is for PROBLEM\n";
    return 77;  // not applicable; so it would be for instances of PROBLEM that it is not made for
  }
  std::cout.precision(17);
  std::cout << "{\"problem\":\"PROBLEM\",\"instance\":" << quoted(instance["name"].text) << ",\"algorithm\":\"mine\",";
  solve(instance, std::cout);
  std::cout << "}\n";
}
