"""All commands of the folder; the first argument says which."""
import json
import os
import random
import sys


def generate(question):
    rng, p = random.Random(question["seed"]), question["params"]
    tasks = [{"id": "t%d" % (k + 1), "times": [rng.randint(5, 20) for _ in range(p["processors"])], "after": {}} for k in range(p["tasks"])]
    for k, task in enumerate(tasks):
        for other in rng.sample(tasks[:k], min(k, rng.randint(1, 2))):
            task["after"][other["id"]] = rng.randint(0, round(25 * p["communication"]))
    return {"tasks": tasks}


def tasks_of(instance):
    """The tasks by id, predecessors first; arcs from tasks that were left out do not count."""
    tasks = {t["id"]: t for t in instance["tasks"]}
    order = []

    def visit(t):
        if t not in order:
            for before in after(tasks, t):
                visit(before)
            order.append(t)

    for t in tasks:
        visit(t)
    return {t: tasks[t] for t in order}


def after(tasks, t):
    return {u: data for u, data in tasks[t]["after"].items() if u in tasks}


def check(question):
    tasks, runs, broken = tasks_of(question["instance"]), question["solution"].get("runs"), []

    def violated(constraint, at, excess):
        if excess > 1e-9:
            broken.append({"constraint": constraint, "at": at, "excess": excess})

    def fits(r):
        return (isinstance(r, dict) and r.get("task") in tasks and isinstance(r.get("start"), (int, float))
                and type(r.get("processor")) is int and 0 <= r["processor"] < len(tasks[r["task"]]["times"]))

    hashable = isinstance(runs, list) and all(isinstance(r, dict) and isinstance(r.get("task"), str) for r in runs)
    if not hashable or not all(map(fits, runs)) or sorted(r["task"] for r in runs) != sorted(tasks):
        violated("tasks", "runs", 1)
        return {"feasible": False, "objective": None, "violations": broken}
    place = {r["task"]: r for r in runs}
    end = {t: r["start"] + tasks[t]["times"][r["processor"]] for t, r in place.items()}
    for t, r in place.items():
        violated("start", t, -r["start"])
        for u, data in after(tasks, t).items():
            ready = end[u] + (data if place[u]["processor"] != r["processor"] else 0)
            violated("precedence", u + " before " + t, ready - r["start"])
        for u, other in place.items():
            if u < t and other["processor"] == r["processor"]:
                violated("processor", u + " and " + t, min(end[u], end[t]) - max(other["start"], r["start"]))
    if broken:
        return {"feasible": False, "objective": None, "violations": broken}
    return {"feasible": True, "objective": max(end.values()), "violations": [], "class": "opt"}


def lengths(tasks, weight, data):
    """The longest path to the start of each task, and from its start to the end."""
    head, tail = {}, {}
    for t in tasks:
        head[t] = max((head[u] + weight(u) + data(d) for u, d in after(tasks, t).items()), default=0)
    for t in reversed(list(tasks)):
        tail[t] = weight(t) + max((tail[v] + data(tasks[v]["after"][t]) for v in tasks if t in tasks[v]["after"]), default=0)
    return head, tail


def schedule(tasks, order, processors):
    """Each task where it ends first; it may fill a gap."""
    runs = {}
    for t in order:
        best = None
        for p in processors:
            ready = max((runs[u]["end"] + (d if runs[u]["processor"] != p else 0) for u, d in after(tasks, t).items()), default=0)
            start = ready
            for r in sorted((r for r in runs.values() if r["processor"] == p), key=lambda r: r["start"]):
                if start + tasks[t]["times"][p] > r["start"]:
                    start = max(start, r["end"])
            end = start + tasks[t]["times"][p]
            if best is None or end < best["end"]:
                best = {"task": t, "processor": p, "start": start, "end": end}
        runs[t] = best
    return runs


def ranked(tasks):
    """HEFT's order: by the longest path to the end in mean times."""
    _, rank = lengths(tasks, lambda t: sum(tasks[t]["times"]) / len(tasks[t]["times"]), lambda d: d)
    return sorted(tasks, key=lambda t: -rank[t])


def solution(instance, name, runs):
    return {"problem": instance["problem"], "instance": instance["name"], "algorithm": name,
            "runs": [{"task": r["task"], "processor": r["processor"], "start": r["start"]} for r in runs.values()]}


def heft(instance):
    tasks = tasks_of(instance)
    processors = range(len(instance["tasks"][0]["times"]))
    return solution(instance, "heft", schedule(tasks, ranked(tasks), processors))


def first(instance):
    tasks = tasks_of(instance)
    p = min(range(len(instance["tasks"][0]["times"])), key=lambda p: sum(t["times"][p] for t in tasks.values()))
    return solution(instance, "first", schedule(tasks, list(tasks), [p]))


def path(instance):
    tasks = tasks_of(instance)
    _, tail = lengths(tasks, lambda t: min(tasks[t]["times"]), lambda d: 0)
    return {"bound": max(tail.values())}


def model(instance):
    """x_t_p: task t runs on p; y_t_u: t is before u, of tasks that no path orders; z_t_u_p: both ends of an arc run on p."""
    tasks = tasks_of(instance)
    names, processors = list(tasks), range(len(instance["tasks"][0]["times"]))
    number = {t: k for k, t in enumerate(names)}
    head, tail = lengths(tasks, lambda t: min(tasks[t]["times"]), lambda d: 0)
    horizon = max(r["end"] for r in schedule(tasks, ranked(tasks), processors).values())  # no optimum is longer than HEFT's schedule
    before = {t: set() for t in names}
    for t in names:
        for u in after(tasks, t):
            before[t] |= before[u] | {u}
    rows, binaries, bounds = [], [], []

    def row(terms, relation, right):
        rows.append(" " + " ".join("%+.17g %s" % term for term in terms) + " %s %.17g" % (relation, right))

    def x(t, p):
        return "x_%d_%d" % (number[t], p)

    def s(t):
        return "s_%d" % number[t]

    def run(t, sign=1):
        return [(sign * w, x(t, p)) for p, w in enumerate(tasks[t]["times"])]

    for t in names:
        binaries += [x(t, p) for p in processors]
        bounds.append(" %.17g <= %s <= %.17g" % (head[t], s(t), horizon - tail[t]))
        row([(1, x(t, p)) for p in processors], "=", 1)
        row([(1, "T"), (-1, s(t))] + run(t, -1), ">=", tail[t] - min(tasks[t]["times"]))
        for u, data in after(tasks, t).items():
            both = ["z_%d_%d_%d" % (number[u], number[t], p) for p in processors]
            row([(1, s(t)), (-1, s(u))] + run(u, -1) + [(data, z) for z in both], ">=", data)
            for p, z in enumerate(both):
                row([(1, z), (-1, x(u, p))], "<=", 0)
                row([(1, z), (-1, x(t, p))], "<=", 0)
    for p in processors:
        row([(1, "T")] + [(-tasks[t]["times"][p], x(t, p)) for t in names], ">=", 0)
    for i, t in enumerate(names):
        for u in names[i + 1:]:
            if t in before[u] or u in before[t]:
                continue
            y = "y_%d_%d" % (number[t], number[u])
            binaries.append(y)
            for p in processors:  # on one processor, the one that is first ends before the other starts
                w = tasks[t]["times"][p]
                big = max(0, horizon - tail[t] + w - head[u])
                row([(1, s(u)), (-1, s(t)), (-big, y), (-big, x(t, p)), (-big, x(u, p))], ">=", w - 3 * big)
                w = tasks[u]["times"][p]
                big = max(0, horizon - tail[u] + w - head[t])
                row([(1, s(t)), (-1, s(u)), (big, y), (-big, x(t, p)), (-big, x(u, p))], ">=", w - 2 * big)
    return "\n".join(["Minimize", " obj: T", "Subject To", *rows, "Bounds", *bounds, "Binary", *(" " + b for b in binaries), "End"])


def decode(question):
    """Processors and the order of starts count; each task starts as soon as it can."""
    tasks, values = tasks_of(question["instance"]), question["values"]
    names, runs, free = list(tasks), {}, {}
    for t in sorted(names, key=lambda t: (round(values.get("s_%d" % names.index(t), 0), 6), names.index(t))):
        p = max(range(len(tasks[t]["times"])), key=lambda p: values.get("x_%d_%d" % (names.index(t), p), 0))
        ready = max((runs[u]["end"] + (d if runs[u]["processor"] != p else 0) for u, d in after(tasks, t).items()), default=0)
        start = max(ready, free.get(p, 0))
        free[p] = start + tasks[t]["times"][p]
        runs[t] = {"task": t, "processor": p, "start": start, "end": free[p]}
    return {"runs": [{k: r[k] for k in ("task", "processor", "start")} for r in runs.values()]}


def main(answer):
    batch = os.environ.get("SCHEDGAP_BATCH")
    for text in sys.stdin if batch else [sys.stdin.read()]:
        reply = answer(json.loads(text))
        if batch and isinstance(reply, str):  # a model, which has several lines
            reply = {"model": reply}
        print(reply if isinstance(reply, str) else json.dumps(reply), flush=True)


main(globals()[sys.argv[1]])
