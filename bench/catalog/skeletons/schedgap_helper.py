"""What a scheduling heuristic for schedgap needs beside its idea: reading, events, free capacity, speedups, writing."""
import heapq
import json
import math
import os
import sys

SEED = int(os.environ.get("SCHEDGAP_SEED", "0"))  # the same seed should give the same solution
TIME_LIMIT = float(os.environ.get("SCHEDGAP_TIME_LIMIT_SECONDS", "60"))  # wall-clock seconds, the start of Python included
THREADS = int(os.environ.get("SCHEDGAP_THREADS", "1"))


def main(problem, solve, name="mine"):
    """Read the instance on standard input, print what solve(instance) returns as a solution; in a batch, one a line."""
    for text in sys.stdin if os.environ.get("SCHEDGAP_BATCH") else [sys.stdin.read()]:
        instance = json.loads(text)
        if instance["problem"] != problem:
            print("it is for " + problem, file=sys.stderr)
            sys.exit(77)  # not applicable; so it would be for instances of the problem that it is not made for
        solution = {"problem": problem, "instance": instance["name"], "algorithm": name, **solve(instance)}
        print(json.dumps(solution), flush=True)


class Events:
    """A queue of events: push(time, what) in any order, pop() -> (time, all that happens then in the order of pushing)."""

    def __init__(self):
        self.heap, self.pushed = [], 0

    def push(self, time, what):
        heapq.heappush(self.heap, (time, self.pushed, what))
        self.pushed += 1

    def pop(self):
        time, happens = self.heap[0][0], []
        while self.heap and self.heap[0][0] == time:
            happens.append(heapq.heappop(self.heap)[2])
        return time, happens

    def __bool__(self):
        return bool(self.heap)


class Servers:
    """Free capacity of the servers of a cloning instance, in whole numbers, so that the checker's rule of what fits is kept exactly.

    Servers with as much free are alike, and few of many differ: a choice looks at one of each kind."""

    def __init__(self, instance):
        self.resources = instance.get("resources", ["cpu", "mem"])
        self.ids = [s["id"] for s in instance["servers"]]
        self.size = [[s[r] for r in self.resources] for s in instance["servers"]]
        self.scale = [tuple(60 - math.frexp(c)[1] for c in size) for size in self.size]
        self.free = [tuple(math.floor(c * (1 + 1e-9) * 2.0**e) for c, e in zip(size, scale)) for size, scale in zip(self.size, self.scale)]
        self.alike = {}  # what is free, in units of the scale -> how many servers, a heap of them and of some that were
        for i in range(len(self.ids)):
            self.count(i, 1)

    def count(self, i, one):
        kind = self.scale[i], self.free[i]
        group = self.alike.setdefault(kind, [0, []])
        group[0] += one
        if one > 0:
            heapq.heappush(group[1], i)
        elif not group[0]:
            del self.alike[kind]

    def need(self, server, phase):
        return [math.ceil(phase[r] * 2.0**e) for r, e in zip(self.resources, self.scale[server])]

    def fits(self, server, phase):
        return all(n <= f for n, f in zip(self.need(server, phase), self.free[server]))

    def take(self, server, phase, copies=1):
        """copies may be negative: then they are given back."""
        self.count(server, -1)
        self.free[server] = tuple(f - copies * n for f, n in zip(self.free[server], self.need(server, phase)))
        self.count(server, 1)

    def best(self, phase):
        """The server on which a copy fits with the least room left over, or None."""
        best, needs = (math.inf, None), {}
        for (scale, free), (_, heap) in self.alike.items():
            left = sum(f / 2.0**e for f, e in zip(free, scale))
            if left > best[0]:
                continue
            if scale not in needs:
                needs[scale] = [math.ceil(phase[r] * 2.0**e) for r, e in zip(self.resources, scale)]
            if all(n <= f for n, f in zip(needs[scale], free)):
                while (self.scale[heap[0]], self.free[heap[0]]) != (scale, free):
                    heapq.heappop(heap)
                best = min(best, (left, heap[0]))
        return best[1]


def h(phase, copies):
    """Progress per slot of a task of a cloning instance's phase in so many copies: its table, or that of the Pareto distribution."""
    if phase.get("speedup"):
        return phase["speedup"][copies - 1]
    if phase.get("sd", 0) == 0 or copies == 1:
        return 1.0
    alpha = 1 + math.sqrt(1 + (phase["mean"] / phase["sd"]) ** 2)
    return 1 + (1 - 1 / copies) / (alpha - 1)


def whole_slots(phase, copies):
    """Slots that a task of a phase runs in so many copies from beginning to end."""
    return max(1, math.ceil((phase["mean"] - 1e-9) / h(phase, copies)))
