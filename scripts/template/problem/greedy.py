"""An instance -> a schedule: again and again the job and machine with the earliest end, divided by the weight where weights count."""
from common import serve, solution, step


def greedy(instance):
    left, weighted = list(instance["jobs"]), instance["metric"] == "weighted"
    sequences, free = [[] for _ in range(instance["machines"])], [0] * instance["machines"]
    while left:
        def end(choice):
            job, machine = choice
            before = sequences[machine][-1] if sequences[machine] else None
            return free[machine] + step(job, before, machine)

        job, machine = min(((job, machine) for job in left for machine in range(instance["machines"])),
                           key=lambda choice: end(choice) / (choice[0]["weight"] if weighted else 1))
        free[machine] = end((job, machine))
        sequences[machine].append(job)
        left.remove(job)
    return solution(instance, "greedy", sequences)


serve(greedy)
