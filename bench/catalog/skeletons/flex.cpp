struct Job {
  std::string id;
  double left, least, most, given;
};

// solve: every unfinished job has its minimum, and the first of them have the rest up to their maxima.
void solve(const Json& instance, std::ostream& out) {
  const double slots = instance["slots"].number;
  std::vector<Job> jobs;
  for (const Json& job : instance["jobs"].list)
    jobs.push_back({job["id"].text, job["work"].number, job.get("min", 0), job.get("max", slots), 0});
  double now = 0;
  out << "\"intervals\":[";
  while (!jobs.empty()) {
    double spare = slots;
    for (Job& job : jobs) spare -= job.given = job.least;
    const Job* first = nullptr;
    for (Job& job : jobs) {
      const double more = std::min(spare, job.most - job.given);
      job.given += more;
      spare -= more;
      if (job.given > 0 && (!first || job.left / job.given < first->left / first->given)) first = &job;
    }
    // Nothing changes until the first of them is done.
    const double span = first->left / first->given;
    out << (now > 0 ? "," : "") << "{\"start\":" << now << ",\"end\":" << now + span << ",\"slots\":{";
    std::string comma;
    std::vector<Job> rest;
    for (const Job& job : jobs) {
      if (job.given > 0) {
        out << comma << quoted(job.id) << ":" << job.given;
        comma = ",";
      }
      const double left = job.left - job.given * span;
      if (&job != first && !(left <= 1e-9 * job.given * span)) rest.push_back({job.id, left, job.least, job.most, 0});
    }
    out << "}}";
    now += span;
    jobs = rest;
  }
  out << "]";
}
