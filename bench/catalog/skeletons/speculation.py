def solve(instance):
    """Pairs of straggler and slot by what they save of the objective, the largest first, each straggler and slot once."""
    weight, pairs = instance["energy_weight"], []
    for straggler in instance["stragglers"]:
        copy_times = instance["copy_time"].get(straggler["id"], {})
        for slot in instance["slots"]:
            if slot["id"] not in copy_times:
                continue
            took = copy_times[slot["id"]]
            time = straggler["finish"] - slot["start"] - took
            energy = straggler["power"] * time - slot["power"] * took
            if time > 1e-9 * straggler["finish"] and energy > 1e-9 * straggler["power"] * straggler["finish"]:
                pairs.append((time + weight * energy, straggler["id"], slot["id"]))
    assign, taken = {}, set()
    for _, straggler, slot in sorted(pairs, reverse=True):
        if straggler not in assign and slot not in taken:
            assign[straggler] = slot
            taken.add(slot)
    return {"assign": assign}
