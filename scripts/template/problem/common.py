"""What all programs of this folder share: reading questions, printing answers, and what a schedule costs."""
import json
import os
import sys


def serve(answer):
    """Answer the JSON object on standard input or, in a batch, one on each line."""
    batch = os.environ.get("SCHEDGAP_BATCH")
    for text in sys.stdin if batch else [sys.stdin.read()]:
        reply = answer(json.loads(text))
        if batch and isinstance(reply, str):  # a model, which has several lines
            reply = {"model": reply}
        print(reply if isinstance(reply, str) else json.dumps(reply), flush=True)


def step(job, before, machine):
    """How long a job holds a machine after another one (None: as its first): set-up and processing."""
    return job["setups"].get(before["id"] if before else "first", [0] * len(job["times"]))[machine] + job["times"][machine]


def timetable(instance, sequences):
    """The schedule in which every machine runs its sequence of jobs without idling."""
    runs = []
    for machine, sequence in enumerate(sequences):
        now, before = 0, None
        for job in sequence:
            start, now = now, now + step(job, before, machine)
            runs.append({"job": job["id"], "machine": machine, "start": start, "end": now})
            before = job
    return runs


def cost(instance, runs):
    if instance["metric"] == "makespan":
        return max((run["end"] for run in runs), default=0)
    weights = {job["id"]: job["weight"] for job in instance["jobs"]}
    return sum(weights[run["job"]] * run["end"] for run in runs)


def solution(instance, algorithm, sequences):
    """The solution file of an algorithm."""
    head = {"problem": instance["problem"], "instance": instance["name"], "algorithm": algorithm}
    return {**head, "runs": timetable(instance, sequences)}
