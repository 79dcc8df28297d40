"""An instance -> a schedule: jobs one by one at the place that costs least, heavy ones first; then each is moved while that helps."""
from common import cost, serve, solution, timetable


def value(instance, sequences):
    return cost(instance, timetable(instance, sequences))


def insert(instance, sequences, job):
    places = [sequences[:i] + [s[:at] + [job] + s[at:]] + sequences[i + 1:] for i, s in enumerate(sequences) for at in range(len(s) + 1)]
    return min(places, key=lambda place: value(instance, place))


def insertion(instance):
    sequences = [[] for _ in range(instance["machines"])]
    for job in sorted(instance["jobs"], key=lambda job: min(job["times"]) / job["weight"]):
        sequences = insert(instance, sequences, job)
    best = None
    while best is None or value(instance, sequences) < best:
        best = value(instance, sequences)
        for job in instance["jobs"]:
            sequences = insert(instance, [[other for other in s if other is not job] for s in sequences], job)
    return solution(instance, "insertion", sequences)


serve(insertion)
