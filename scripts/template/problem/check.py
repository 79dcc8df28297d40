"""{"instance": …, "solution": …} -> whether the schedule is right, and what it costs. Nothing that the solution says of itself counts."""
from common import cost, serve, step


def number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def check(question):
    instance, runs, broken = question["instance"], question["solution"].get("runs"), []

    def violated(constraint, at, excess=1):
        broken.append({"constraint": constraint, "at": at, "excess": excess})

    jobs, last, seen = {job["id"]: job for job in instance["jobs"]}, {}, set()
    form = isinstance(runs, list) and all(isinstance(r, dict) and isinstance(r.get("job"), str) and type(r.get("machine")) is int and
                                          number(r.get("start")) and number(r.get("end")) for r in runs)
    if not form:
        return {"feasible": False, "objective": None, "violations": [{"constraint": "form", "at": "runs", "excess": 1}]}
    for run in sorted(runs, key=lambda run: run["start"]):
        job, machine, at = jobs.get(run["job"]), run["machine"], "runs of " + run["job"]
        if job is None or not 0 <= machine < instance["machines"]:
            violated("unknown", at)
            continue
        if run["job"] in seen:
            violated("once", at)
        seen.add(run["job"])
        before, free = last.get(machine, (None, 0))
        need = step(job, before, machine)
        rounding = 1e-9 * abs(run["end"])  # times are sums that end near here
        if run["start"] < free - rounding:
            violated("machine", at, free - run["start"])
        if abs(run["end"] - run["start"] - need) > rounding:
            violated("duration", at, abs(run["end"] - run["start"] - need))
        last[machine] = job, run["end"]
    for name in jobs.keys() - seen:
        violated("once", "job " + name)
    if broken:
        return {"feasible": False, "objective": None, "violations": broken}
    return {"feasible": True, "objective": cost(instance, runs), "violations": [], "class": "opt"}


serve(check)
