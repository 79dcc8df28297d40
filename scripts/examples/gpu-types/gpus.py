"""All commands of the folder; the first argument says which."""
import json
import os
import random
import sys

CLASSES = ["vision", "language", "recommendation", "speech"]
TYPES = ["V100", "P100", "K80"]


def generate(question):
    rng, p = random.Random(question["seed"]), question["params"]
    # The mean of a class on a type: 1 on the oldest, more on each newer one, by a factor that depends on the class.
    means = {c: [gain ** (2 - t) for t in range(3)] for c in CLASSES for gain in [rng.uniform(1, p["spread"])]}
    jobs = []
    for k in range(p["jobs"]):
        kind = rng.choice(CLASSES)
        jobs.append({"id": "j%d" % (k + 1), "class": kind, "throughput": [round(m * rng.uniform(0.9, 1.1), 3) for m in means[kind]]})
    return {"types": [{"name": name, "gpus": p["gpus"]} for name in TYPES], "jobs": jobs}


def even(instance, job):
    """The throughput of a job under an equal split of all types."""
    jobs = len(instance["jobs"])
    return sum(x * t["gpus"] / jobs for x, t in zip(job["throughput"], instance["types"]))


def check(question):
    instance, shares, broken = question["instance"], question["solution"].get("shares"), []
    jobs, types = instance["jobs"], instance["types"]
    shares = shares if isinstance(shares, dict) else {}

    def fits(x):
        return isinstance(x, list) and len(x) == len(types) and all(isinstance(s, (int, float)) and not isinstance(s, bool) for s in x)

    def violated(constraint, at, excess):
        if excess > 1e-9:
            broken.append({"constraint": constraint, "at": at, "excess": excess})

    for name in sorted({job["id"] for job in jobs} ^ set(shares)):
        violated("job", name, 1)
    for name, x in shares.items():
        if not fits(x):
            violated("form", name, 1)
    if broken:
        return {"feasible": False, "objective": None, "violations": broken}
    for job in jobs:
        violated("time", job["id"], sum(shares[job["id"]]) - 1)
        violated("share", job["id"], -min(shares[job["id"]]))
    for t, kind in enumerate(types):
        violated("gpus", kind["name"], sum(x[t] for x in shares.values()) - kind["gpus"])
    if broken:
        return {"feasible": False, "objective": None, "violations": broken}
    gains = [sum(s * x for s, x in zip(shares[job["id"]], job["throughput"])) / even(instance, job) for job in jobs]
    return {"feasible": True, "objective": min(gains), "violations": [], "class": "opt"}


def model(instance):
    """Free MPS: maximise the gain r, where every job's throughput is at least r times that of an equal split."""
    jobs, types = instance["jobs"], instance["types"]
    rows = ["NAME gpus", "OBJSENSE MAX", "ROWS", " N gain"] + [" G job_%d" % j for j in range(len(jobs))]
    rows += [" L time_%d" % j for j in range(len(jobs))] + [" L gpus_%d" % t for t in range(len(types))] + ["COLUMNS", " r gain 1"]
    rows += [" r job_%d %.17g" % (j, -even(instance, job)) for j, job in enumerate(jobs)]
    for j, job in enumerate(jobs):
        for t, x in enumerate(job["throughput"]):
            rows.append(" x_%d_%d job_%d %.17g time_%d 1\n x_%d_%d gpus_%d 1" % (j, t, j, x, j, j, t, t))
    rows += ["RHS"] + [" rhs time_%d 1" % j for j in range(len(jobs))] + [" rhs gpus_%d %d" % (t, k["gpus"]) for t, k in enumerate(types)]
    return "\n".join(rows + ["ENDATA"])


def scaled(instance, shares):
    """Shares that break no limit, by as little as they have to be cut."""
    shares = {name: [max(0, s) / max(1, sum(x)) for s in x] for name, x in shares.items()}
    over = [max(1, sum(x[t] for x in shares.values()) / kind["gpus"]) for t, kind in enumerate(instance["types"])]
    return {name: [s / o for s, o in zip(x, over)] for name, x in shares.items()}


def decode(question):
    instance, values = question["instance"], question["values"]
    types = range(len(instance["types"]))
    shares = {job["id"]: [values.get("x_%d_%d" % (j, t), 0) for t in types] for j, job in enumerate(instance["jobs"])}
    return {"shares": scaled(instance, shares)}


def fastest(instance):
    return {"bound": min(max(job["throughput"]) / even(instance, job) for job in instance["jobs"])}


def solution(instance, name, shares):
    return {"problem": instance["problem"], "instance": instance["name"], "algorithm": name, "shares": scaled(instance, shares)}


def equal(instance):
    jobs = len(instance["jobs"])
    return solution(instance, "equal", {job["id"]: [t["gpus"] / jobs for t in instance["types"]] for job in instance["jobs"]})


def advantage(instance):
    types = instance["types"]
    left, shares = [t["gpus"] for t in types], {job["id"]: [0] * len(types) for job in instance["jobs"]}
    for job in sorted(instance["jobs"], key=lambda job: -job["throughput"][0] / job["throughput"][-1]):
        time = min(1, sum(t["gpus"] for t in types) / len(instance["jobs"]))
        for t in range(len(types)):
            share = min(time, left[t])
            shares[job["id"]][t] = share
            left[t], time = left[t] - share, time - share
    return solution(instance, "advantage", shares)


def main(answer):
    batch = os.environ.get("SCHEDGAP_BATCH")
    for text in sys.stdin if batch else [sys.stdin.read()]:
        reply = answer(json.loads(text))
        if batch and isinstance(reply, str):  # a model, which has several lines
            reply = {"model": reply}
        print(reply if isinstance(reply, str) else json.dumps(reply), flush=True)


main(globals()[sys.argv[1]])
