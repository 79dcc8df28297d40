def solve(instance):
    """Each straggler, in the order of the file, has its copy on the first free slot where that saves both time and energy."""
    free = list(instance["slots"])
    assign = {}
    for straggler in instance["stragglers"]:
        copy_times = instance["copy_time"].get(straggler["id"], {})
        for slot in free:
            if slot["id"] not in copy_times:
                continue
            took = copy_times[slot["id"]]
            time = straggler["finish"] - slot["start"] - took
            energy = straggler["power"] * time - slot["power"] * took
            if time > 1e-9 * straggler["finish"] and energy > 1e-9 * straggler["power"] * straggler["finish"]:
                assign[straggler["id"]] = slot["id"]
                free.remove(slot)
                break
    return {"assign": assign}
