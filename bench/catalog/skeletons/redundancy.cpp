// solve: one job after the other in order of arrival, each on one machine.
void solve(const Json& instance, std::ostream& out) {
  std::vector<Json> jobs = instance["jobs"].list;
  std::stable_sort(jobs.begin(), jobs.end(), [](const Json& a, const Json& b) { return a["arrival"].number < b["arrival"].number; });
  double now = 0;
  std::string comma;
  out << "\"intervals\":[";
  const auto interval = [&](double end, const std::string& alloc) {
    out << comma << "{\"start\":" << now << ",\"end\":" << end << ",\"alloc\":{" << alloc << "}}";
    comma = ",";
    now = end;
  };
  for (const Json& job : jobs) {
    if (job["arrival"].number > now) interval(job["arrival"].number, "");  // nothing runs until it comes
    interval(now + job["work"].number / instance["speedup"].list[0].number, quoted(job["id"].text) + ":{\"copies\":1,\"share\":1}");
  }
  out << "]";
}
