"""{"instance": …, "values": {"x_0_0_2": 1, …}} -> the schedule: only the order counts, times follow from it."""
from common import serve, timetable


def decode(question):
    instance, after = question["instance"], {}
    for name, value in question["values"].items():
        if name.startswith("x_") and value > 0.5:
            machine, before, job = map(int, name.split("_")[1:])
            after[machine, before] = job
    sequences = []
    for machine in range(instance["machines"]):
        sequence, at = [], 0
        while (machine, at) in after:
            at = after.pop((machine, at))
            sequence.append(instance["jobs"][at - 1])
        sequences.append(sequence)
    return {"runs": timetable(instance, sequences)}


serve(decode)
