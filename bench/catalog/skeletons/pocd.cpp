// solve: one copy for every straggler, in the order of the file, while there are machines.
void solve(const Json& instance, std::ostream& out) {
  double spare = instance["capacity"].number;
  for (const Json& job : instance["jobs"].list) spare -= 1 + job["tasks"].list.size();  // its master, its tasks
  std::map<std::string, std::vector<std::string>> copies;
  for (const Json& job : instance["jobs"].list) {
    for (const Json& task : job["tasks"].list) {
      if (task["straggler"].number == 0 || spare <= 0 || instance["max_copies"].number < 1) continue;
      copies[job["id"].text].push_back(task["id"].text);
      --spare;
    }
  }
  out << "\"copies\":{";
  std::string comma;
  for (const auto& job : copies) {
    out << comma << quoted(job.first) << ":{";
    for (size_t i = 0; i < job.second.size(); ++i) out << (i ? "," : "") << quoted(job.second[i]) << ":1";
    out << "}";
    comma = ",";
  }
  out << "}";
}
