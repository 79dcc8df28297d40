// An algorithm for pocd: one more copy for the task that is the least likely to be done in time, as long as machines last.
//
//     g++ -O2 -o pocd_least scripts/examples/pocd_least.cpp      (Debian: nlohmann-json3-dev)
//     schedgap algorithm check pocd -- ./pocd_least
//
// It reads an instance on its standard input and prints a solution. A random algorithm would take its seed from
// SCHEDGAP_SEED, and a slow one would stop after SCHEDGAP_TIME_LIMIT_SECONDS.
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <queue>

using nlohmann::json;

struct Task {
  double miss;  // probability that one attempt is late
  int copies;
  std::string job, id;
  bool operator<(const Task& other) const { return std::pow(miss, copies + 1) < std::pow(other.miss, other.copies + 1); }
};

int main() {
  const json instance = json::parse(std::cin);
  if (instance["problem"] != "pocd") {
    std::cerr << "it decides pocd instances only\n";
    return 77;  // not applicable
  }
  long spare = instance["capacity"];
  const int most = instance["max_copies"];
  std::priority_queue<Task> tasks;  // the least likely first
  for (const json& job : instance["jobs"]) {
    spare -= 1 + static_cast<long>(job["tasks"].size());  // one machine for its master, one a task
    const double left = job["deadline"].get<double>() - job["elapsed"].get<double>();
    for (const json& task : job["tasks"]) {
      const double need = (1 - task["progress"].get<double>()) * task["t_min"].get<double>();
      if (!task["straggler"].get<bool>() || most == 0 || left <= 0 || need >= left) continue;
      tasks.push({std::pow(need / left, task["beta"].get<double>()), 0, job["id"], task["id"]});
    }
  }
  json copies = json::object();
  for (; spare > 0 && !tasks.empty(); --spare) {
    Task task = tasks.top();
    tasks.pop();
    copies[task.job][task.id] = ++task.copies;
    if (task.copies < most) tasks.push(task);
  }
  std::cout << json{{"problem", "pocd"}, {"instance", instance["name"]}, {"algorithm", "my-least"}, {"copies", copies}} << "\n";
}
