// solve: each straggler, in the order of the file, has its copy on the first free slot where that saves both time and energy.
void solve(const Json& instance, std::ostream& out) {
  std::vector<Json> free = instance["slots"].list;
  std::string comma;
  out << "\"assign\":{";
  for (const Json& straggler : instance["stragglers"].list) {
    const std::string id = straggler["id"].text;
    const Json* row = instance["copy_time"].find(id);
    const double finish = straggler["finish"].number, power = straggler["power"].number;
    for (auto slot = free.begin(); row && slot != free.end(); ++slot) {
      const Json* took = row->find((*slot)["id"].text);
      if (!took) continue;
      const double time = finish - (*slot)["start"].number - took->number;
      const double energy = power * time - (*slot)["power"].number * took->number;
      if (time > 1e-9 * finish && energy > 1e-9 * power * finish) {
        out << comma << quoted(id) << ":" << quoted((*slot)["id"].text);
        comma = ",";
        free.erase(slot);
        break;
      }
    }
  }
  out << "}";
}
