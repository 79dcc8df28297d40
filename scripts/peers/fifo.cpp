// First in, first out on SimGrid: a line of stdin is a task's arrival and duration, tasks are taken in the order of the lines by the host
// that is free first, one at a time a host. Prints each task's completion; the seconds of CPU time of the simulation alone go to stderr.
// Usage: fifo HOSTS <tasks >completions
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

namespace sg = simgrid::s4u;

struct Task {
  double arrival, duration, end;
};
static std::vector<Task> tasks;
static size_t next_task = 0;

static void work()
{
  while (next_task < tasks.size()) {
    Task& task = tasks[next_task++];
    if (task.arrival > sg::Engine::get_clock())
      sg::this_actor::sleep_until(task.arrival);
    sg::this_actor::execute(task.duration); // a host does one unit a second
    task.end = sg::Engine::get_clock();
  }
}

int main(int argc, char** argv)
{
  sg::Engine engine(&argc, argv);
  const int hosts = std::atoi(argv[1]);
  for (double arrival, duration; std::scanf("%lf %lf", &arrival, &duration) == 2;)
    tasks.push_back({arrival, duration, 0});
  auto* zone = sg::create_full_zone("cluster");
  for (int h = 0; h < hosts; h++)
    sg::Actor::create("worker", zone->create_host("host" + std::to_string(h), 1.0)->seal(), work);
  zone->seal();
  const std::clock_t begin = std::clock();
  engine.run();
  std::fprintf(stderr, "%.6f\n", double(std::clock() - begin) / CLOCKS_PER_SEC);
  for (const Task& task : tasks)
    std::printf("%.17g\n", task.end);
}
