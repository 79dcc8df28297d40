// solve: one task after the other, without clones: jobs by arrival, phases after their parents, each on the first server that fits.
void solve(const Json& instance, std::ostream& out) {
  std::vector<std::string> resources;
  if (const Json* named = instance.find("resources"))
    for (const Json& r : named->list) resources.push_back(r.text);
  else
    resources = {"cpu", "mem"};
  std::vector<Json> jobs = instance["jobs"].list;
  std::stable_sort(jobs.begin(), jobs.end(), [](const Json& a, const Json& b) { return a["arrival"].number < b["arrival"].number; });
  long now = 0;
  std::string comma;
  out << "\"copies\":[";
  for (const Json& job : jobs) {
    now = std::max(now, static_cast<long>(job["arrival"].number));
    std::vector<Json> waiting = job["phases"].list;
    std::map<std::string, bool> done;
    while (!waiting.empty()) {
      const auto ready = [&](const Json& p) {
        return std::all_of(p["parents"].list.begin(), p["parents"].list.end(), [&](const Json& q) { return done[q.text]; });
      };
      const auto next = std::find_if(waiting.begin(), waiting.end(), ready);
      const Json phase = *next;
      waiting.erase(next);
      const auto fits = [&](const Json& s) {
        return std::all_of(resources.begin(), resources.end(), [&](const std::string& r) { return phase[r].number <= s[r].number; });
      };
      const std::vector<Json>& servers = instance["servers"].list;
      const std::string server = (*std::find_if(servers.begin(), servers.end(), fits))["id"].text;
      const long slots = std::max(1L, static_cast<long>(std::ceil(phase["mean"].number - 1e-9)));
      for (int task = 0; task < phase["tasks"].number; ++task, now += slots) {
        out << comma << "{\"task\":[" << quoted(job["id"].text) << "," << quoted(phase["id"].text) << "," << task << "],\"server\":"
            << quoted(server) << ",\"start\":" << now << ",\"end\":" << now + slots << "}";
        comma = ",";
      }
      done[phase["id"].text] = true;
    }
  }
  out << "]";
}
