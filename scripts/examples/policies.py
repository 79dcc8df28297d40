#!/usr/bin/env python3
"""Policies for the simulators, one for each problem. A policy gets one line of JSON for every decision, the present
without the future, and answers one line; docs/your-algorithm.md has the formats.

    schedgap simulate redundancy -a fair,mine --policy 'mine=python3 scripts/examples/policies.py' --generate horizon=2000 -o out
"""
import json
import sys


def flex(now):
    """Minima, then one slot more for each job in turn while there are slots."""
    slots = {job["id"]: job["min"] for job in now["jobs"]}
    left = now["slots"] - sum(slots.values())
    while left > 0:
        hungry = [job["id"] for job in now["jobs"] if slots[job["id"]] < job["max"]][:left]
        if not hungry:
            break
        for job in hungry:
            slots[job] += 1
        left -= len(hungry)
    return {"intervals": [{"start": 0, "end": 1, "slots": {job: n for job, n in slots.items() if n > 0}}]}


def pocd(now):
    """One copy for every straggler, in the order of the file, while there are machines."""
    spare = now["capacity"] - sum(1 + len(job["tasks"]) for job in now["jobs"])
    copies = {}
    for job in now["jobs"]:
        for task in job["tasks"]:
            if task["straggler"] and spare > 0 and now["max_copies"] > 0:
                copies.setdefault(job["id"], {})[task["id"]] = 1
                spare -= 1
    return {"copies": copies}


def cloning(now):
    """Jobs by arrival, one copy a task."""
    serve = [{"job": job["id"], "phase": phase["phase"]} for job in now["jobs"] for phase in job["phases"]]
    return {"serve": serve}


def redundancy(now):
    """Fair without redundancy: one machine a job, shared by equally many where there are more jobs."""
    jobs, machines = now["jobs"], now["machines"]
    if jobs < machines:
        return {"served": jobs, "first": 1, "others": 1, "share": 1}
    each = jobs // machines
    return {"served": machines * each, "first": 1, "others": 1, "share": 1 / each}


def speculation(now):
    """No copies."""
    return {"assign": {}}


POLICIES = {"flex": flex, "pocd": pocd, "cloning": cloning, "redundancy": redundancy, "speculation": speculation}


def main():
    for line in sys.stdin:
        now = json.loads(line)
        answer = POLICIES[now["problem"]](now)
        if "name" in now:  # an instance is answered by a solution
            answer |= {"problem": now["problem"], "instance": now["name"], "algorithm": "mine"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
