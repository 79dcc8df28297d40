#!/usr/bin/env python3
"""An algorithm for flex: the slack goes to the jobs with the least work left.

    schedgap algorithm check flex -- python3 scripts/examples/flex_spt.py

It reads an instance on its standard input and prints a solution. A random algorithm would take its seed from SCHEDGAP_SEED,
and a slow one would stop after SCHEDGAP_TIME_LIMIT_SECONDS.
"""
import json
import sys


def schedule(instance):
    """Intervals in which every unfinished job has its minimum, and the shortest have the rest up to their maxima."""
    slots = instance["slots"]
    left = {job["id"]: job["work"] for job in instance["jobs"]}
    least = {job["id"]: job.get("min", 0) for job in instance["jobs"]}
    most = {job["id"]: job.get("max", slots) for job in instance["jobs"]}
    intervals, now = [], 0.0
    while left:
        given = {job: least[job] for job in left}
        slack = slots - sum(given.values())
        for job in sorted(left, key=left.get):
            more = min(slack, most[job] - given[job])
            given[job] += more
            slack -= more
        first = min((job for job in left if given[job] > 0), key=lambda job: left[job] / given[job])
        span = left[first] / given[first]
        intervals.append({"start": now, "end": now + span, "slots": {job: n for job, n in given.items() if n > 0}})
        now += span
        for job, n in given.items():
            left[job] -= n * span
            if job == first or left[job] <= 1e-9 * n * span:
                del left[job]
    return intervals


def main():
    instance = json.load(sys.stdin)
    if instance["problem"] != "flex":
        print("it schedules flex instances only", file=sys.stderr)
        sys.exit(77)  # not applicable
    solution = {"problem": "flex", "instance": instance["name"], "algorithm": "my-spt", "intervals": schedule(instance)}
    json.dump(solution, sys.stdout)


if __name__ == "__main__":
    main()
