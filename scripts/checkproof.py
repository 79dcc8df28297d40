#!/usr/bin/env python3
"""A second verifier of schedgap's proofs: checkproof.py INSTANCE[.gz] PROOF[.gz]

It is written from docs/bounds-and-proofs.md and docs/problems alone and shares nothing with the program. Data are rational, so everything is
computed in whole numbers and fractions; powers and logarithms (pocd) are intervals of decimals. It prints what `schedgap verify`
prints. Exit code 0: accepted; 1: refused, with a reason; 2: bad usage or input, one sentence on stderr; 3: given up, since the proof
asks for more than this program does.
"""

import array
import decimal
import gzip
import hashlib
import itertools
import json
import math
import re
import sys
from bisect import bisect_left, bisect_right
from fractions import Fraction as Q
from functools import reduce


class BadInput(Exception):
    """A file that is no instance or no proof: exit code 2."""


class Refused(Exception):
    """A proof that does not prove what it claims: exit code 1."""


class GivenUp(Refused):
    """A proof of which this program cannot say whether it proves what it claims: exit code 3."""


def need(condition, sentence, refusal=Refused):
    if not condition:
        raise refusal(sentence)


# ---- Files -------------------------------------------------------------------------------------------------------------------


class Overflow(ValueError):
    """A number beyond float64: a value of JSON, but none of these files."""


def parse(text):
    """One strict JSON value: no NaN, no duplicate key, nothing behind it; whole numbers are int, others float."""

    def pairs(items):
        found = dict(items)
        if len(found) < len(items):
            keys = [key for key, _ in items]
            raise Overflow("duplicate key %r" % next(key for key in keys if keys.count(key) > 1))
        return found

    def real(digits):
        number = float(digits)
        if math.isinf(number):
            raise Overflow("%s is not a finite number" % digits)
        return int(number) if "." not in digits and abs(number) < 2**53 and number == int(number) and number else number

    def whole(digits):
        if math.isinf(real(digits + ".0")):
            raise Overflow(digits)
        return -0.0 if digits == "-0" else int(digits)

    def constant(name):
        raise ValueError("%s is not JSON" % name)

    return json.loads(text, object_pairs_hook=pairs, parse_float=real, parse_int=whole, parse_constant=constant)


def read(path, compressed):
    try:
        with open(path, "rb") as file:
            data = file.read()
        if compressed or data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        return data.decode("utf-8")
    except (OSError, EOFError, ValueError, gzip.zlib.error) as error:
        raise BadInput("%s: %s" % (path, error)) from None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def whole_number(value):
    """The value as an int where it is a whole number, else None."""
    return int(value) if is_number(value) and value == int(value) and abs(value) <= 2**63 else None


def fields(value, where, required, optional=(), error=Refused):
    """The values of an object's fields, None for optional ones that are missing; no others may be there."""
    if not isinstance(value, dict):
        raise error("%s: must be an object" % where)
    for name in required:
        if name not in value:
            raise error("%s: %s: required field is missing" % (where, name))
    for name in value:
        if name not in required and name not in optional:
            raise error("%s: %s: unknown field" % (where, name))
    return [value.get(name) for name in (*required, *optional)]


def numbers(value, where, least=None, count=None, whole=False, error=Refused):
    """A list of numbers, exactly what their float64s are: fractions, or ints where whole is said."""
    if not isinstance(value, list) or not all(is_number(number) for number in value):
        raise error("%s: must be a list of numbers" % where)
    if count is not None and len(value) != count:
        raise error("%s: has %d numbers; it must have %d" % (where, len(value), count))
    if whole and any(whole_number(number) is None for number in value):
        raise error("%s: must have whole numbers" % where)
    if least is not None and any(number < least for number in value):
        raise error("%s: has a number below %s" % (where, least))
    return [int(number) if whole else Q(float(number)) for number in value]


def written(value):
    """The canonical bytes of a JSON value: as Go writes them, without spaces."""
    if isinstance(value, dict):
        return "{%s}" % ",".join(written(key) + ":" + written(of) for key, of in value.items())
    if isinstance(value, list):
        return "[%s]" % ",".join(map(written, value))
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        for letter in "<>&\u2028\u2029":
            text = text.replace(letter, "\\u%04x" % ord(letter))
        return text.replace("\x7f", "\\u007f")
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Literal):
        return value.digits
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    first = exponent + len(text) - 1
    if 1e-6 <= abs(value) < 1e21:
        if exponent >= 0:
            text += "0" * exponent
        elif first >= 0:
            text = text[: first + 1] + "." + text[first + 1 :]
        else:
            text = "0." + "0" * (-first - 1) + text
    else:
        text = text[0] + ("." + text[1:] if text[1:] else "") + "e%+d" % first
    return "-" * sign + text


class Literal:
    """A number as it is spelled, which a lineage keeps."""

    def __init__(self, digits):
        self.digits = digits


def lineage(text):
    """The lineage of an instance, its keys sorted at every level and its numbers as they are spelled."""
    whole = json.loads(text, parse_float=Literal, parse_int=Literal)

    def ordered(value):
        if isinstance(value, dict):
            return {key: ordered(value[key]) for key in sorted(value, key=lambda name: name.encode())}
        return [ordered(one) for one in value] if isinstance(value, list) else value

    return ordered(whole.get("lineage"))


class Reader:
    """Reads the objects of an instance in the order of the canonical file and collects what that has."""

    def __init__(self, value, where):
        if not isinstance(value, dict):
            raise BadInput("%s: must be an object" % where)
        self.value, self.where, self.canonical, self.seen = value, where, {}, set()

    def fail(self, name, sentence):
        raise BadInput("%s.%s: %s" % (self.where, name, sentence))

    def raw(self, name, default=None):
        self.seen.add(name)
        found = self.value.get(name)
        if found is None and name in self.value:
            self.fail(name, "null")
        if found is None:
            if default is None:
                self.fail(name, "required field is missing")
            return default
        return found

    def keep(self, name, value):
        self.canonical[name] = value
        return value

    def number(self, name, least=-math.inf, most=math.inf, default=None, above=None):
        value = self.raw(name, default)
        if not is_number(value):
            self.fail(name, "must be a number")
        value = self.keep(name, float(value))
        if not least <= value <= most or above is not None and value <= above:
            self.fail(name, "%r is out of range" % value)
        return value

    def whole(self, name, least=0, most=2**62, default=None):
        value = whole_number(self.raw(name, default))
        if value is None or not least <= value <= most:
            self.fail(name, "must be a whole number from %d to %d" % (least, most))
        return self.keep(name, value)

    def word(self, name, words=None):
        value = self.raw(name)
        if not isinstance(value, str) or not value or words and value not in words:
            self.fail(name, "must be %s" % (" or ".join(words) if words else "a text"))
        return self.keep(name, value)

    def flag(self, name):
        value = self.raw(name)
        if not isinstance(value, bool):
            self.fail(name, "must be true or false")
        return self.keep(name, value)

    def table(self, name, default=None):
        found = [float(number) for number in numbers(self.raw(name, default), self.where + "." + name, error=BadInput)]
        return self.keep(name, found)

    def objects(self, name, build, empty=False, default=None):
        """A list of objects, each read by build; those with an id have one of their own."""
        value = self.raw(name, default)
        if not isinstance(value, list) or not value and not empty:
            self.fail(name, "must be a list of objects")
        readers = [Reader(one, "%s.%s[%d]" % (self.where, name, at)) for at, one in enumerate(value)]
        found = [build(reader) for reader in readers]
        for reader in readers:
            reader.done()
        ids = [reader.canonical["id"] for reader in readers if "id" in reader.canonical]
        if len(set(ids)) < len(ids):
            self.fail(name, "ids are not unique")
        self.keep(name, [reader.canonical for reader in readers])
        return found

    def done(self):
        for name in self.value:
            if name not in self.seen:
                self.fail(name, "unknown field")


def rounded(exact, up):
    """The float64 next to an exact number, on the side that is said, and infinite beyond the largest."""
    try:
        near = float(exact)
    except OverflowError:
        near = math.inf if exact > 0 else -math.inf
    if math.isinf(near):
        return near if up == (near > 0) else math.copysign(sys.float_info.max, near)
    if (Q(near) < exact) if up else (Q(near) > exact):
        near = math.nextafter(near, math.inf if up else -math.inf)
    return near


class Proof:
    """A claim and the lines after it. The header is checked here, the rest by the problem."""

    def __init__(self, path):
        lines = read(path, True).split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        if not lines:
            raise BadInput("%s: is empty" % path)
        self.header, self.lines, self.trouble = None, [], None
        for at, line in enumerate(lines):
            try:
                value = parse(line)
            except Overflow as error:
                value, self.trouble = None, self.trouble or "line %d: %s" % (at + 1, error)
            except ValueError as error:
                raise BadInput("%s: line %d: is not JSON: %s" % (path, at + 1, error)) from None
            if at:
                self.lines.append(value)
            else:
                self.header = value
        names = ("format", "version", "problem", "instance", "instance_sha256", "reference", "kind", "value", "bound")
        found = fields(self.header, "%s: line 1" % path, names, error=BadInput)
        if found[:2] != ["schedgap-proof", 1] or not all(isinstance(text, str) for text in found[2:7]):
            raise BadInput("%s: line 1: is no header of a proof of version 1" % path)
        self.problem, self.name, self.hash, self.reference, self.kind, self.value, self.bound = found[2:]
        if not is_number(self.bound) or self.value is not None and not is_number(self.value):
            raise BadInput("%s: line 1: value and bound must be numbers" % path)
        self.bound, self.optimal = float(self.bound), False
        self.value = None if self.value is None else float(self.value)

    def begin(self, solution):
        """The line with the solution, if a value is claimed, and the lines after it."""
        if self.value is None:
            return None, self.lines
        need(self.lines, "the proof has no solution for its value")
        return fields(self.lines[0], "line 2", [solution])[0], self.lines[1:]

    def exactly(self, lines, count):
        need(len(lines) == count, "the proof has %d lines after the header; it must have %d"
             % (len(self.lines), len(self.lines) - len(lines) + count))

    def bounds(self, exact, minimum):
        """Refuses a bound that claims more than is proven."""
        need(exact >= Q(self.bound) if minimum else exact <= Q(self.bound),
             "the proof proves %r, not %r" % (rounded(exact, not minimum), self.bound))

    def worth(self, exact, minimum):
        """Refuses a value that is not what the solution is worth, rounded to the worse side."""
        need(self.value == rounded(exact, minimum), "the solution is worth %r, not %r" % (rounded(exact, minimum), self.value))

    def close(self, least=0):
        """Notes whether the bound proves the value, given the least amount; refuses it if not."""
        self.optimal = abs(Q(self.value) - Q(self.bound)) <= max(abs(Q(self.value)), least) / 10**9
        need(self.optimal, "value %r and bound %r are too far apart for an optimum" % (self.value, self.bound))


# ---- speculation -------------------------------------------------------------------------------------------------------------


def read_speculation(top):
    top.number("energy_weight", 0)
    stragglers = top.objects("stragglers", lambda one: (one.word("id"), one.number("finish", 0), one.number("power", 0),
                                                        one.number("progress", 0, 1, above=0), one.number("duration", above=0)))
    slots = top.objects("slots", lambda one: (one.word("id"), one.number("start", 0), one.number("power", 0)), empty=True)
    rows, times, places = top.raw("copy_time"), {}, {slot[0]: at for at, slot in enumerate(slots)}
    if not isinstance(rows, dict) or set(rows) - {one[0] for one in stragglers}:
        top.fail("copy_time", "must have rows of stragglers")
    kept = top.keep("copy_time", {})
    for i, straggler in enumerate(stragglers):
        row = rows.get(straggler[0], {})
        if not isinstance(row, dict) or not all(slot in places and is_number(row[slot]) and row[slot] > 0 for slot in row):
            top.fail("copy_time", "row %s: must have times > 0 of slots" % straggler[0])
        if row:
            kept[straggler[0]] = {slot[0]: float(row[slot[0]]) for slot in slots if slot[0] in row}
        times.update({(i, places[slot]): float(time) for slot, time in row.items()})
    return top.canonical["energy_weight"], stragglers, slots, times


def binary(floats):
    """Floats as whole numbers of one power of two, and its denominator."""
    ratios = {one: one.as_integer_ratio() for one in floats}
    unit = max((below for _, below in ratios.values()), default=1)
    return {one: above * (unit // below) for one, (above, below) in ratios.items()}, unit


def verify_speculation(instance, proof):
    weight, stragglers, slots, times = instance
    time, time_unit = binary([one[1] for one in stragglers + slots] + list(times.values()))
    power, power_unit = binary([one[2] for one in stragglers + slots])
    energy, energy_unit = binary([weight])
    unit = time_unit * power_unit * energy_unit
    saved = [{} for _ in stragglers]
    for (i, j), length in times.items():
        finish, start, length = time[stragglers[i][1]], time[slots[j][1]], time[length]
        sooner, span = finish - start - length, finish + start + length
        draw, copy = power[stragglers[i][2]], power[slots[j][2]] * length
        own = draw * sooner
        if sooner > 0 and own > copy and sooner * 10**15 >= span and (own - copy) * 10**15 >= draw * span + copy:
            saved[i][j] = sooner * power_unit * energy_unit + energy[weight] * (own - copy)
    solution, lines = proof.begin("solution")
    proof.exactly(lines, 1)
    prices = numbers(fields(lines[0], "prices", ["prices"])[0], "prices", 0, len(slots))
    total = sum(prices)
    for row in saved:
        total += max([Q(0)] + [Q(w, unit) - prices[j] for j, w in row.items()])
    proof.bounds(total, False)
    if solution is not None:
        worth, taken = 0, set()
        for i, j in enumerate(numbers(solution, "solution", -1, len(stragglers), whole=True)):
            if j >= 0:
                need(j < len(slots) and j not in taken, "the slot of straggler %d is not there or taken" % i)
                need(j in saved[i], "straggler %d may not have a copy on slot %d" % (i, j))
                taken.add(j)
                worth += saved[i][j]
        proof.worth(Q(worth, unit), False)
        proof.close()


# ---- pocd --------------------------------------------------------------------------------------------------------------------

DECIMAL = decimal.Context(prec=50, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[decimal.InvalidOperation])
MARGIN = decimal.Decimal("1e-30")  # far more than what functions computed to 50 digits lose, relative


def read_pocd(top):
    capacity, alpha = top.whole("capacity"), top.raw("alpha")
    if alpha == "inf":
        alpha = top.keep("alpha", "inf") and math.inf
    else:
        alpha = top.number("alpha", 0, 50)
    copies = top.whole("max_copies")

    def task(one):
        return (one.word("id"), one.number("progress", 0), one.number("t_min", above=0), one.number("beta", above=0), one.flag("straggler"))

    jobs = top.objects("jobs", lambda one: (one.word("id"), one.number("deadline", 0), one.number("elapsed", 0), one.objects("tasks", task)))
    spare = capacity - sum(len(job[3]) + 1 for job in jobs)
    if spare < 0 or any(one[1] >= 1 for job in jobs for one in job[3]):
        raise BadInput("jobs: the machines do not hold all tasks and masters, or a progress is not below 1")
    return alpha, copies, jobs, spare


def to_decimal(exact):
    return DECIMAL.divide(decimal.Decimal(exact.numerator), decimal.Decimal(exact.denominator))


def log_timely(x):
    """ln (1 - e^x) for x < 0, to some 33 digits whether x or e^x vanishes."""
    c = DECIMAL
    if x > decimal.Decimal("-1e-12"):
        series = c.add(1, c.multiply(x / 2, c.add(1, c.multiply(x / 3, c.add(1, x / 4)))))
        return c.ln(c.multiply(-x, series))
    late = c.exp(x)
    if late < decimal.Decimal("1e-15"):
        return -c.multiply(late, c.add(1, c.multiply(late, c.add(decimal.Decimal("0.5"), late / 3))))
    return c.ln(c.subtract(1, late))


def timely(task, job):
    """The function r -> ln R(r) of a task, None if it cannot meet the deadline."""
    deadline, elapsed = Q(job[1]), Q(job[2])
    work = (1 - Q(task[1])) * Q(task[2])
    if deadline <= elapsed or elapsed + work >= deadline * (1 - Q(1, 10**9)):
        return None
    slope = DECIMAL.multiply(to_decimal(Q(task[3])), DECIMAL.ln(to_decimal(work / (deadline - elapsed))))
    return lambda r: log_timely(DECIMAL.multiply(slope, r + 1))


def utility(log, alpha):
    """U of the probability e^log, which is the probability for alpha = inf; not below -1e309, beyond all float64s."""
    if alpha == 1:
        return log
    power = decimal.Decimal(1) if alpha == math.inf else 1 - decimal.Decimal(alpha)
    return max(DECIMAL.divide(DECIMAL.exp(DECIMAL.multiply(power, log)), power), decimal.Decimal("-1e309"))


def raised(value):
    return DECIMAL.add(value, abs(value) * MARGIN)


def lowered(value):
    return DECIMAL.subtract(value, abs(value) * MARGIN)


def pocd_options(job, functions, alpha, most, every, spare):
    """Upper bounds on what a job is worth with 0, 1, ... copies: those with the largest gains."""
    log, gains = decimal.Decimal(0), []
    for task, function in zip(job[3], functions):
        before = function(0)
        log = DECIMAL.add(log, raised(before))
        for r in range(1, min(most, spare) + 1 if every or task[4] else 1):
            after = function(r)
            gain = DECIMAL.subtract(raised(after), lowered(before))
            if gain <= 0:
                break
            gains.append(gain)
            before = after
    options = [log]
    for gain in sorted(gains, reverse=True)[:spare]:
        options.append(DECIMAL.add(options[-1], gain))
    return [raised(utility(min(raised(log), decimal.Decimal(0)), alpha)) for log in options]


def verify_pocd(instance, proof):
    alpha, most, jobs, spare = instance
    every = proof.reference == "opt-all"
    solution, lines = proof.begin("solution")
    proof.exactly(lines, 0 if alpha == math.inf else 1)
    bound = Q(proof.bound)
    logs = [[timely(task, job) for task in job[3]] for job in jobs]
    counted = [at for at, functions in enumerate(logs) if None not in functions]
    options = [pocd_options(jobs[at], logs[at], alpha, most, every, spare) for at in counted]
    if alpha == math.inf:
        limit = to_decimal(bound)
        least = [next((b for b, value in enumerate(row) if value > limit), spare + 1) for row in options]
        need(bound >= 1 or sum(least) > spare, "all jobs may get beyond the bound %r" % proof.bound)
    else:
        price = numbers([fields(lines[0], "multiplier", ["multiplier"])[0]], "multiplier", 0)[0]
        pocd_sum(options, price, spare, bound, alpha >= 1, proof)
    if solution is not None:
        pocd_value(instance, logs, counted, solution, every, proof)


def pocd_sum(options, price, spare, bound, concave, proof):
    """Whether no choice of options of at most so many copies is worth more than the bound, in whole numbers of a small unit."""
    largest = max([abs(to_decimal(bound))] + [abs(row[-1]) for row in options])
    unit = 100 - (largest.adjusted() * 3322 // 1000 if largest else 0)
    wide = decimal.Context(prec=800, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, rounding=decimal.ROUND_CEILING)
    scale = decimal.Decimal(2 ** abs(unit))
    scaled = wide.multiply if unit >= 0 else wide.divide
    rows = [[int(wide.to_integral_value(scaled(value, scale))) for value in row] for row in options]
    price, claim = math.ceil(price * Q(2) ** unit), math.floor(bound * Q(2) ** unit)
    best = [max(value - price * b for b, value in enumerate(row)) for row in rows]
    room = price * spare + sum(best) - claim  # what a solution may lose that is worth more than the bound
    if room <= 0:
        return
    need(rows and not concave, "the multiplier proves a larger bound only, not %r" % proof.bound)
    chosen = [[(b, value) for b, value in enumerate(row) if top - (value - price * b) < room] for row, top in zip(rows, best)]
    states, tops, fewest = {0: 0}, [0], [0]
    for row, top in zip(reversed(chosen), reversed(best)):
        tops.append(tops[-1] + top)
        fewest.append(fewest[-1] + row[0][0])
    steps = 0
    for at, row in enumerate(chosen):
        steps += len(states) * len(row)
        need(steps < 10**8, "the multiplier leaves too many choices open", GivenUp)
        left, after = spare - fewest[len(chosen) - at - 1], tops[len(chosen) - at - 1]
        found = {}
        for used, worth in states.items():
            for b, value in row:
                key, total = used + b, worth + value
                if key <= left and total > found.get(key, -math.inf) and total + price * (spare - key) + after > claim:
                    found[key] = total
        states, most = {}, -math.inf
        for key in sorted(found):
            if found[key] > most:
                states[key] = most = found[key]
    need(max(states.values(), default=claim) <= claim, "a choice of copies may be worth more than the bound %r" % proof.bound)


def pocd_value(instance, logs, counted, solution, every, proof):
    alpha, most, jobs, spare = instance
    need(isinstance(solution, list) and len(solution) == len(jobs), "the solution must have the copies of each job's tasks")
    worths, used = [], 0
    for at, (job, copies) in enumerate(zip(jobs, solution)):
        copies = numbers(copies, "solution[%d]" % at, 0, len(job[3]), whole=True)
        need(all(r <= most and (r == 0 or every or task[4]) for r, task in zip(copies, job[3])),
             "solution[%d]: a task has copies that are not allowed" % at)
        used += sum(copies)
        if at in counted:
            log = decimal.Decimal(0)
            for r, function in zip(copies, logs[at]):
                log = DECIMAL.add(log, function(r))
            worths.append(utility(log, alpha))
    need(used <= spare, "the solution has more copies than spare machines")
    if alpha == math.inf:
        worth = min(worths, default=decimal.Decimal(1))
    else:
        worth = sum(worths, decimal.Decimal(0))
    worth = Q(max(worth, decimal.Decimal(-sys.float_info.max)))
    gap = worth - Q(proof.value)
    need(-abs(worth) * Q(MARGIN) <= gap <= abs(worth) * Q(1, 10**12), "the solution is worth %r, not %r" % (float(worth), proof.value))
    proof.close()


# ---- flex --------------------------------------------------------------------------------------------------------------------

METRICS = ["response", "stretch", "tardy", "tardiness", "lateness", "sla"]


class FlexJob:
    """A job in rationals: work w, least and most slots, the factor of its penalty, due date or levels, earliest and latest end."""


def read_flex(top):
    slots = top.whole("slots", 1)
    reader = Reader(top.raw("objective"), "objective")
    metric, aggregate = reader.word("metric", METRICS), reader.word("aggregate", ["sum", "max"])
    weighted = reader.flag("weighted")
    reader.done()
    top.keep("objective", reader.canonical)

    def step(one):
        return one.number("at"), one.number("penalty", 0)

    def build(one):
        job = FlexJob()
        job.id, job.work = one.word("id"), Q(one.number("work", 1e-100, 1e100))
        job.min, job.max = one.whole("min", 0, slots, 0), one.whole("max", 1, slots, slots)
        weight = Q(one.number("weight", 1e-100, 1e100, 1))
        job.own = one.word("metric", METRICS) if "metric" in one.value else None
        job.due = Q(one.number("deadline")) if "deadline" in one.value or metric in ("tardy", "tardiness", "lateness") else None
        steps = one.objects("steps", step, default=[], empty=metric != "sla")
        if not steps:
            del one.canonical["steps"]
        if job.min > job.max or any(x[0] >= y[0] or x[1] >= y[1] for x, y in zip(steps, steps[1:])):
            one.fail("id", "%s: min is above max, or steps do not ascend" % job.id)
        job.factor = 1 / job.work if metric == "stretch" else weight if weighted else Q(1)
        late = [(job.due, 1)] if metric == "tardy" else [(Q(at), Q(penalty)) for at, penalty in steps]
        job.levels = [Q(0)] + [job.factor * penalty for _, penalty in late]
        job.limits = [at + abs(at) / 10**9 for at, _ in late]
        return job

    jobs = top.objects("jobs", build)
    if sum(job.min for job in jobs) > slots or aggregate == "max" and metric in ("tardy", "sla"):
        raise BadInput("jobs: the minima exceed the slots, or the objective is not defined")
    horizon = sum(job.work for job in jobs) / slots + max(job.work / job.max for job in jobs)
    for job in jobs:
        job.first = job.work / job.max
        job.last = min(horizon, job.work / job.min) if job.min else horizon
        job.due = job.due if metric in ("tardiness", "lateness") else Q(0)
    return slots, metric, aggregate, jobs


def flex_cost(metric, job, time):
    """The weighted penalty of a completion time."""
    if metric in ("tardy", "sla"):
        return job.levels[bisect_left(job.limits, time)]
    return job.factor * (max(Q(0), time - job.due) if metric == "tardiness" else time - job.due)


def done_by(job, end, moment):
    """The least that a job that completes at end has done by a moment."""
    return job.work if moment >= end else max(job.min * moment, job.work - job.max * (end - moment))


def divisor(a, b):
    """The greatest rational of which two are whole multiples; 0 is one of all."""
    return Q(math.gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator)


def flex_grid(instance):
    """A number of which the optimum of a sum is a whole multiple, or 0 where none is known."""
    slots, metric, _, jobs = instance
    if metric in ("tardy", "sla"):
        return reduce(divisor, (y - x for job in jobs for x, y in zip(job.levels, job.levels[1:])), Q(0))
    if metric == "stretch" or any(job.min or job.max < slots for job in jobs):
        return Q(0)
    times = (time for job in jobs for time in (job.first, job.due))
    return reduce(divisor, times, Q(0)) * reduce(divisor, (job.factor for job in jobs), Q(0))


def flex_bounds(instance, exact, proof):
    """Refuses a bound on a sum that claims more than is proven: what penalties are not below, on the grid of the optimum."""
    if instance[1] != "lateness":
        exact = max(exact, Q(0))
    grid = flex_grid(instance)
    proof.bounds(math.ceil(exact / grid) * grid if grid else exact, True)


def flex_value(instance, times, proof):
    slots, metric, aggregate, jobs = instance
    times = numbers(times, "times", None, len(jobs))
    for at, (job, time) in enumerate(zip(jobs, times)):
        need(time >= job.first, "job %d does not complete at %r even at its maximum" % (at, float(time)))
    ends = [min(job.last, time) for job, time in zip(jobs, times)]
    for moment in set(ends):
        need(sum(done_by(job, end, moment) for job, end in zip(jobs, ends)) <= slots * moment,
             "by %r the jobs need more than the slots can do" % float(moment))
    costs = [flex_cost(metric, job, end) for job, end in zip(jobs, ends)]
    proof.worth(sum(costs) if aggregate == "sum" else max(costs), True)
    dates = metric in ("tardiness", "lateness")
    proof.close(min(job.factor * job.first for job in jobs) if dates else 0)


def flex_kind(name, metrics, aggregate):
    """What all proofs of optima share: the kind is of the objective, and the times are worth the value."""

    def wrap(check):
        def verify_kind(instance, proof):
            need(all(job.own is None for job in instance[3]), "a job has a metric of its own")
            need(instance[1] in metrics and instance[2] == aggregate, "proofs of the kind %s are not of this objective" % name)
            need(proof.lines, "the proof has no times")
            times = fields(proof.lines[0], "line 2", ["times"])[0]
            check(instance, proof.lines[1:], proof)
            if proof.value is not None:
                flex_value(instance, times, proof)

        return verify_kind

    return wrap


def queyranne(slots, jobs, chosen):
    """A lower bound on the integral over time of what is left of the chosen jobs: the others hold their minima beside them."""
    left, area, now = sum(jobs[j].work for j in chosen), Q(0), Q(0)
    others = sorted((job.work / job.min, job.min) for j, job in enumerate(jobs) if j not in chosen and job.min)
    rate = slots - sum(least for _, least in others)
    for end, least in others:
        length = min(end - now, left / rate) if rate else end - now
        area += length * (left - rate * length / 2)
        left, now, rate = left - rate * length, end, rate + least
    return area + left * left / (2 * rate)


def tangent(job, at):
    """Of g(C), the most that the integral of what is left of a job can be that completes at C, its slope and value at 0."""
    if job.max == job.min:
        return Q(0), job.work * job.work / (2 * job.max)
    turn = (job.max * at - job.work) / (job.max - job.min)
    area = turn * (job.work - job.min * turn / 2) + job.max * (at - turn) ** 2 / 2
    slope = job.max * (at - turn)
    return slope, area - slope * at


def leads(metric, i, j):
    """Whether job i may be taken to complete no later than job j: changing places costs nothing."""
    top = i.last
    if i.max > j.max or i.first > j.first or i.first + top * (1 - Q(i.min, i.max)) > j.first + top * (1 - Q(j.min, j.max)):
        return False
    if metric != "tardiness":
        return i.factor >= j.factor
    never = [job.due >= job.last for job in (i, j)]
    rates = [Q(0) if no else job.factor for job, no in zip((i, j), never)]
    return rates[0] >= rates[1] and (never[1] or not never[0] and max(i.due, i.first) <= max(j.due, j.first))


class Orders:
    """Verifies a tree over orders of completion. Knowledge is, by job, the set of jobs that complete no earlier, as bits."""

    def __init__(self, instance, lines):
        self.slots, self.metric, _, self.jobs = instance
        self.lines, self.next, self.cuts, self.least = lines, 0, [], None

    def run(self):
        count = len(self.jobs)
        known = [1 << i for i in range(count)]
        for i, j in itertools.permutations(range(count), 2):
            if leads(self.metric, self.jobs[i], self.jobs[j]) and (i < j or not leads(self.metric, self.jobs[j], self.jobs[i])):
                known = learn(known, i, j)
        open_nodes = [known]
        while open_nodes:
            need(self.next < len(self.lines), "the tree is not complete")
            line, self.next = self.lines[self.next], self.next + 1
            (name, value), where = one_field(line), "line %d" % (self.next + 2)
            if name == "pair":
                i, j = job_indices(value, where, count, 2)
                known = open_nodes.pop()
                need(i != j and not known[i] >> j & 1 and not known[j] >> i & 1, "%s: the order is known, or of one job: neither" % where)
                open_nodes += [learn(known, j, i), learn(known, i, j)]
            elif name == "moment":
                self.cuts.append(self.moment(value, where))
            elif name == "parallel":
                self.cuts.append(self.parallel(value, where))
            else:
                need(name == "leaf", "%s: %r is not known" % (where, name))
                self.leaf(value, open_nodes.pop(), where)
        need(self.next == len(self.lines), "line %d is behind the end of the tree" % (self.next + 3))
        return self.least

    def moment(self, value, where):
        end, starts, late = fields(value, where, ["end"], ["from", "late"])
        (end,), late = job_indices([end], where, len(self.jobs), 1), job_indices(late or [], where, len(self.jobs))
        starts = numbers(starts, where, -1, len(self.jobs), whole=True)
        need(max(starts) < len(self.jobs) and len(set(late)) == len(late) and all(starts[j] >= 0 for j in late), "%s: is no cut" % where)
        row, total, asks = {end: Q(self.slots)}, Q(0), set()
        for j, start in enumerate(starts):
            if start < 0:
                continue
            asks |= {(start, end), (start, j)}
            job = self.jobs[j]
            row[start] = row.get(start, 0) - (job.max if j in late else job.min)
            if j in late:
                row[j] = row.get(j, 0) + job.max
                total += job.work
        return row, total, asks

    def parallel(self, value, where):
        chosen, times = fields(value, where, ["jobs", "at"])
        chosen = job_indices(chosen, where, len(self.jobs))
        need(len(set(chosen)) == len(chosen) > 0, "%s: a job is there twice, or none" % where)
        row, total = {}, queyranne(self.slots, self.jobs, chosen)
        for j, at in zip(chosen, numbers(times, where, 0, len(chosen))):
            job = self.jobs[j]
            slope, base = tangent(job, min(max(at, job.first), job.work / job.min if job.min else at))
            row[j] = slope
            total -= base
        return row, total, ()

    def leaf(self, value, known, where):
        cuts, by, pairs, of, empty = fields(value, where, [], ["cuts", "by", "pairs", "of", "empty"])
        cuts = numbers(cuts or [], where, 0, whole=True)
        row, total = {}, Q(0)
        for cut, multiplier in zip(cuts, numbers(by or [], where, 0, len(cuts))):
            need(cut < len(self.cuts), "%s: there is no cut %d before it" % (where, cut))
            coefficients, right, asks = self.cuts[cut]
            need(all(known[i] >> j & 1 for i, j in asks), "%s: cut %d takes for granted what is not known" % (where, cut))
            for j, coefficient in coefficients.items():
                row[j] = row.get(j, 0) + multiplier * coefficient
            total += multiplier * right
        need(isinstance(pairs or [], list), "%s: pairs must be a list" % where)
        for pair, multiplier in zip(pairs or [], numbers(of or [], where, 0, len(pairs or []))):
            i, j = job_indices(pair, where, len(self.jobs), 2)
            need(known[i] >> j & 1, "%s: the pair %s is not known" % (where, pair))
            row[j], row[i] = row.get(j, 0) + multiplier, row.get(i, 0) - multiplier
        for j, job in enumerate(self.jobs):
            slope, points = row.get(j, 0), [job.first, job.last]
            if self.metric == "tardiness" and job.first < job.due < job.last:
                points.append(job.due)
            total += min((Q(0) if empty else flex_cost(self.metric, job, time)) - slope * time for time in points)
        if empty:
            need(empty is True and total > 0, "%s: the node is not empty" % where)
        elif self.least is None or total < self.least:
            self.least = total


def one_field(line):
    need(isinstance(line, dict) and len(line) == 1, "a line has not one field")
    return next(iter(line.items()))


def job_indices(value, where, jobs, count=None):
    found = numbers(value, where, 0, count, whole=True)
    need(all(j < jobs for j in found), "%s: there is no such job" % where)
    return found


def learn(known, i, j):
    """Knowledge with i before j and all that follows; those before i are before whatever is after j."""
    return [after | known[j] if after >> i & 1 else after for after in known]


@flex_kind("flex-orders", ("response", "stretch", "lateness", "tardiness"), "sum")
def verify_flex_orders(instance, lines, proof):
    least = Orders(instance, lines).run()
    need(least is not None, "every leaf is empty")
    flex_bounds(instance, least, proof)


@flex_kind("flex-deadlines", ("tardy", "sla"), "sum")
def verify_flex_deadlines(instance, lines, proof):
    slots, _, _, jobs = instance
    unit = 2 ** 160  # of works and penalties; what jobs have done and pay is rounded down to it, the bound of a leaf compared so
    ends = [[min(limit, job.last) for limit in job.limits] + [job.last] for job in jobs]
    costs = [[math.floor(cost * unit) for cost in job.levels] for job in jobs]
    done, least = {}, None

    def works(moment):
        if moment not in done:
            done[moment] = [[math.floor(done_by(job, end, moment) * unit) for end in row] for job, row in zip(jobs, ends)]
        return done[moment]

    # A level is parted even if the job cannot complete by it: a prover that rounds may not know.
    at, open_nodes = 0, [[list(range(len(row))) for row in ends]]
    while open_nodes:
        need(at < len(lines), "the tree is not complete")
        (name, value), where, at = one_field(lines[at]), "line %d" % (at + 3), at + 1
        left = open_nodes.pop()
        if name == "level":
            j, level = numbers(list(fields(value, where, ["job", "level"])), where, 0, whole=True)
            need(j < len(jobs), "%s: there is no such job" % where)
            lower, upper = [k for k in left[j] if k <= level], [k for k in left[j] if k > level]
            need(lower and upper, "%s: the levels of job %d are not parted" % (where, j))
            open_nodes += [left[:j] + [upper] + left[j + 1 :], left[:j] + [lower] + left[j + 1 :]]
            continue
        need(name == "leaf", "%s: %r is not known" % (where, name))
        moments, prices, empty = fields(value, where, [], ["at", "price", "empty"])
        moments = numbers(moments or [], where, 0)
        need(len(moments) <= 1500 + 4 * len(jobs), "%s: there are too many moments" % where)
        prices, scale = binary([float(price) for price in numbers(prices or [], where, 0, len(moments))]), None
        prices, scale = [prices[0][float(price)] for price in value.get("price", [])], prices[1]
        total = -sum(price * math.ceil(slots * moment * unit) for moment, price in zip(moments, prices))
        tables = [works(moment) for moment in moments]
        left = [[k for k in levels if ends[j][k] >= jobs[j].first] for j, levels in enumerate(left)]
        if not all(left):
            continue  # no schedule is in this node
        for j, levels in enumerate(left):
            total += min((0 if empty else costs[j][k] * scale) + sum(price * table[j][k] for price, table in zip(prices, tables))
                         for k in levels)
        if empty:
            need(empty is True and total > 0, "%s: the node is not empty" % where)
        elif least is None or Q(total, scale * unit) < least:
            least = Q(total, scale * unit)
    need(at == len(lines), "line %d is behind the end of the tree" % (at + 3))
    need(least is not None, "every leaf is empty")
    flex_bounds(instance, least, proof)


class SlotPrices:
    """Prices of slots that do not rise over time: ints by grid, in units of their own; area(t) is their integral until t."""

    def __init__(self, line, where, scales):
        grid, price = fields(line, where, ["grid", "price"])
        grid = [float(point) for point in numbers(grid, where, 0)]
        price = [float(one) for one in numbers(price, where, 0, len(grid) - 1)]
        need(len(grid) >= 2 and all(x < y for x, y in zip(grid, grid[1:])) and grid[0] == 0, "%s: the grid does not grow from 0" % where)
        need(len(grid) <= 1500 + scales[1], "%s: the grid has too many points" % where)
        need(all(x >= y for x, y in zip(price, price[1:])), "%s: rising prices" % where)
        exact, self.time = binary(grid + scales[0])
        self.time <<= 100
        self.grid = [exact[point] << 100 for point in grid]
        exact, self.money = binary(price)
        self.price = [exact[one] for one in price]
        self.sums = [0, *itertools.accumulate((y - x) * one for x, y, one in zip(self.grid, self.grid[1:], self.price))]

    def area(self, time):
        if time >= self.grid[-1]:
            return self.sums[-1]
        k = max(0, bisect_right(self.grid, time) - 1)
        return self.sums[k] + self.price[k] * (time - self.grid[k])

    def least(self, job, early, late):
        """At most what a job pays at least that completes between two times that are near each other."""
        if job.max == job.min:
            return job.max * self.area(early)
        turn = max(0, -((self.work(job) - job.max * late) // (job.max - job.min)))
        return max(0, job.max * self.area(late) - (job.max - job.min) * self.area(turn))

    def work(self, job):
        return int(job.work * self.time)


@flex_kind("flex-prices", ("response", "stretch", "lateness", "tardiness"), "max")
def verify_flex_max(instance, lines, proof):
    need(len(lines) == 1, "the prices of a maximum are one line; counts say nothing about a max")
    flex_maximum(instance, lines[0], proof)


def flex_maximum(instance, line, proof):
    slots, metric, _, jobs = instance
    bound = Q(proof.bound)
    ends = [bound / job.factor + job.due for job in jobs]
    if metric == "tardiness" and bound <= 0 or any(end <= job.first for job, end in zip(jobs, ends)):
        return
    prices = SlotPrices(line, "prices", ([float(job.work) for job in jobs], 4 * len(jobs)))
    paid = 0
    for job, end in zip(jobs, ends):
        late = min(end, job.work / job.min) if job.min else end
        paid += prices.least(job, math.floor(late * prices.time), math.ceil(late * prices.time))
    need(paid > slots * prices.sums[-1], "the prices prove nothing of the bound %r" % proof.bound)


def machine_costs(instance, bits):
    """Works in their common unit, costs by job and time in whole numbers, and the places of the jobs in the alphabet."""
    slots, metric, aggregate, jobs = instance
    need(aggregate == "sum" and all(job.min == 0 and job.max >= slots for job in jobs),
         "it is no sum over jobs that have no minima and can hold all slots")
    need(-1100 <= bits <= 1100, "costs have a strange scale")
    unit = reduce(divisor, (job.work for job in jobs), Q(0))
    works = [int(job.work / unit) for job in jobs]
    total = sum(works)
    need(total <= 2**20 and total * len(jobs) <= 2**22, "there are too many jobs and units of work")
    scale, step = Q(2) ** bits, unit / slots
    costs = [[math.floor(flex_cost(metric, job, time * step) * scale) for time in range(total + 1)] for job in jobs]
    free = [next((time for time, cost in enumerate(row) if cost > row[0]), total + 1) for row in costs]
    rank = [0] * len(jobs)
    for place, j in enumerate(sorted(range(len(jobs)), key=lambda j: free[j])):
        rank[j] = place
    return works, costs, rank


class Sequences:
    """A dynamic program: by node its job, when it ends, and the nodes before it. The first node is the start, the last one the end of
    all; neither has a job."""

    def __init__(self, works, costs, rank):
        self.works, self.costs, self.rank = works, costs, rank
        self.remembers, self.counted, self.closed, self.later = False, set(), False, None
        self.job, self.end, self.into, arcs = [None], [0], [()], 0
        layers, total = {0: [0]}, sum(works)
        for time in range(1, total + 1):
            here = []
            for j, work in enumerate(works):
                nodes = [u for u in layers.get(time - work, ()) if self.ordered(u, j)]
                if nodes:
                    here.append(self.node(self, j, time, array.array("i", nodes)))
                    arcs += len(nodes)
            need(arcs <= 2**24, "the program has more than 2^24 arcs", GivenUp)
            if here:
                layers[time] = here
        self.node(self, None, total, layers.get(total, ()))

    @staticmethod
    def node(graph, job, end, into):
        graph.job.append(job)
        graph.end.append(end)
        graph.into.append(into)
        return len(graph.job) - 1

    def ordered(self, u, j):
        """Whether the job of u and then j are in their best order."""
        i = self.job[u]
        return i is None or i != j and self.orders(self.end[u] - self.works[i], (i, j))

    def orders(self, start, chosen):
        """Whether jobs are in their best order from a time on, of equals the first in the alphabet."""

        def rated(order):
            time, cost = start, 0
            for j in order:
                time += self.works[j]
                cost += self.costs[j][time]
            return cost, [self.rank[j] for j in order]

        own = rated(chosen)
        return all(rated(order) >= own for order in itertools.permutations(chosen))

    def prune(self, multipliers, target):
        """Takes away what costs target or more at the multipliers, on every path."""
        price = [0 if j is None else self.costs[j][end] - multipliers[j] for j, end in zip(self.job, self.end)]
        count, far = len(self.job), math.inf
        ahead, later = [far] * count, [far] * count
        ahead[0] = later[-1] = 0
        for v in range(1, count):
            ahead[v] = min((ahead[u] for u in self.into[v]), default=far) + price[v]
        for v in range(count - 1, 0, -1):
            rest = later[v] + price[v]
            for u in self.into[v]:
                if rest < later[u]:
                    later[u] = rest
        target -= sum(multipliers)
        if ahead[-1] >= target:
            self.closed = True
            return
        fresh, place = self.empty(), [0] + [None] * (count - 1)
        fresh.price, fresh.later, fresh.target = [0], [later[0]], target
        for v in range(1, count):
            limit = target - price[v] - later[v]
            nodes = [place[u] for u in self.into[v] if place[u] is not None and ahead[u] < limit]
            if nodes:
                place[v] = self.node(fresh, self.job[v], self.end[v], nodes)
                fresh.price.append(price[v])
                fresh.later.append(later[v])
        self.__dict__.update(fresh.__dict__)

    def empty(self):
        fresh = object.__new__(Sequences)
        fresh.works, fresh.costs, fresh.rank = self.works, self.costs, self.rank
        fresh.remembers, fresh.counted, fresh.closed, fresh.later = self.remembers, set(self.counted), False, None
        fresh.job, fresh.end, fresh.into = [None], [0], [()]
        return fresh

    def refine(self, split, where):
        """Parts nodes by tags. split says which tag v has after a node before it, u, with a tag; None: that is no way."""
        need(self.later is not None, "%s: a step before prune" % where)
        fresh, last = self.empty(), len(self.job) - 1
        ahead, parts = [0], [{0: 0}] + [{} for _ in range(last)]  # by node: places by tag
        arcs = 0
        for v in range(1, last + 1):
            limit, found = self.target - self.price[v] - self.later[v], {}
            for u in self.into[v]:
                for tag, x in parts[u].items():
                    new = split(u, v, tag)
                    if new is not None and ahead[x] < limit:
                        found.setdefault(new, []).append(x)
            for tag, nodes in found.items():
                parts[v][tag] = self.node(fresh, self.job[v], self.end[v], nodes)
                ahead.append(min(ahead[x] for x in nodes) + self.price[v])
                arcs += len(nodes)
            need(arcs <= 2**24, "the program has more than 2^24 arcs", GivenUp)
        fresh.closed = not parts[last]
        self.__dict__.update(fresh.__dict__)

    def remember(self, where):
        need(not self.remembers, "%s: the job before is remembered already" % where)
        last = len(self.job) - 1

        def split(u, v, tag):
            if v == last:
                return 0
            i, j = self.job[u], self.job[v]
            first = self.job[tag] if i is not None else None
            if first is not None and (first == j or not self.orders(self.end[u] - self.works[i] - self.works[first], (first, i, j))):
                return None
            return u

        self.refine(split, where)
        self.remembers = True

    def count(self, q, where):
        need(0 <= q < len(self.works) and q not in self.counted, "%s: there is no such job, or it is counted already" % where)
        last = len(self.job) - 1

        def split(u, v, tag):
            if self.job[v] == q:
                return None if tag else 1
            return None if v == last and not tag else tag

        self.refine(split, where)
        self.counted.add(q)


def verify_flex_machine(instance, proof):
    need(all(job.own is None for job in instance[3]), "a job has a metric of its own")
    times, lines = proof.begin("times")
    need(lines, "the proof has no steps")
    where = "line %d" % (len(proof.lines) - len(lines) + 2)
    bits, target = numbers(list(fields(fields(lines[0], where, ["start"])[0], where, ["bits", "target"])), where, whole=True)
    graph, at = Sequences(*machine_costs(instance, bits)), 1
    while not graph.closed:
        need(at < len(lines), "after all steps a sequence is left that costs less than the target")
        (name, value), where, at = one_field(lines[at]), "line %d" % (len(proof.lines) - len(lines) + at + 2), at + 1
        if name == "prune":
            graph.prune(numbers(value, where, None, len(instance[3]), whole=True), target)
        elif name == "remember":
            need(value is True, "%s: remember is not true" % where)
            graph.remember(where)
        else:
            need(name == "count" and whole_number(value) is not None, "%s: a step is one of prune, remember, count" % where)
            graph.count(whole_number(value), where)
    need(at == len(lines), "a line is behind the end of the steps")
    flex_bounds(instance, Q(target) / Q(2) ** bits, proof)
    if times is not None:
        flex_value(instance, times, proof)


def verify_flex_prices(instance, proof):
    slots, metric, aggregate, jobs = instance
    need(proof.value is None, "prices prove a bound and no value")
    need(all(job.own is None for job in jobs), "a job has a metric of its own")
    need(proof.lines, "there are no prices")
    if aggregate == "max":
        proof.exactly(proof.lines, 1)
        flex_maximum(instance, proof.lines[0], proof)
        return
    prices = SlotPrices(proof.lines[0], "line 2", ([float(job.work) for job in jobs], 4 * len(jobs)))
    places = {job.id: j for j, job in enumerate(jobs)}
    factors, unit = [], prices.time * prices.money
    early = [[0] * (len(prices.grid) + 1) for _ in jobs]  # by job and interval: what completing before later grid points costs
    counted = Q(0)
    for at, line in enumerate(proof.lines[1:]):
        where = "line %d" % (at + 3)
        names, points, theta, most = fields(line, where, ["jobs", "points", "theta", "most"])
        need(isinstance(names, list) and all(isinstance(name, str) and name in places for name in names) and len(set(names)) == len(names),
             "%s: jobs must be different ids of jobs" % where)
        chosen = [places[name] for name in names]
        points = numbers(points, where, 0, whole=True)
        theta, most = numbers(theta, where, 0, len(points)), numbers(most, where, 0, len(points), whole=True)
        need(all(point < len(prices.grid) for point in points), "%s: there is no such grid point" % where)
        for point, price, count in zip(points, theta, most):
            time = Q(prices.grid[point], prices.time)
            need(flex_count(slots, jobs, chosen, time) <= count, "%s: more than %d jobs can be done by %r" % (where, count, float(time)))
            counted += price * count
            for j in chosen:
                early[j][point] += price
    total = -slots * prices.sums[-1] - math.ceil(counted * unit)
    for j, job in enumerate(jobs):
        rows = list(itertools.accumulate(reversed(early[j])))[::-1]  # rows[k]: the payments at grid points from k on
        total += flex_column(metric, job, prices, [math.floor(one * unit) for one in rows], unit)
    flex_bounds(instance, Q(total, unit), proof)


def flex_count(slots, jobs, chosen, time):
    """The most jobs of the chosen ones that can be done by a time."""
    slack = slots * time - sum(min(job.min * time, job.work) for job in jobs)
    missing = sorted(jobs[j].work - min(jobs[j].min * time, jobs[j].work) for j in chosen if jobs[j].work <= jobs[j].max * time)
    count = 0
    for work in missing:
        slack -= work
        if work > 0 and slack < 0:
            break
        count += 1
    return count


def flex_column(metric, job, prices, early, unit):
    """The least, over completion times, of penalty, payment for slots and payments for completing early."""
    scale, spare = prices.time, job.max - job.min
    work, first = prices.work(job), job.first * prices.time
    points = [first] + prices.grid
    if spare:
        points += [Q(point * spare + work, job.max) for point in prices.grid]
    points += [limit * scale for limit in job.limits] if metric in ("tardy", "sla") else [job.due * scale]
    if job.min:
        last = job.work / job.min * scale
        points.append(last)
    else:
        last = max(points) + scale
        points.append(last)
    best = None
    for point in {(math.floor(point), math.ceil(point)) for point in points if first <= point <= last}:
        low, high = point
        cost = flex_cost(metric, job, Q(low, scale)) * unit
        found = math.floor(cost) + prices.least(job, low, high) + early[bisect_right(prices.grid, high)]
        best = found if best is None or found < best else best
    return best


# ---- redundancy --------------------------------------------------------------------------------------------------------------


NEVER = Q(10) ** 400  # the cost of what cannot be, above all that can be


class Redundancy:
    """An instance in rationals: machines, whether they are shared, h from 0 on, falling gains, jobs as (id, arrival, work)."""


def read_redundancy(top):
    one = Redundancy()
    one.machines, one.shared = top.whole("machines", 1), top.flag("multitasking")
    top.number("speed", above=0)
    table = top.table("speedup")
    jobs = top.objects("jobs", lambda job: (job.word("id"), Q(job.number("arrival", 0, 1e100)), Q(job.number("work", above=0))))
    begin = min(arrival for _, arrival, _ in jobs)
    one.jobs = jobs = [(name, arrival - begin, work) for name, arrival, work in jobs]  # time is counted from the first arrival
    one.h = [Q(0)] + [Q(value) for value in table]
    steps = [y - x for x, y in zip(one.h, one.h[1:])]
    slack = Q(1, 10**9)
    if len(table) != one.machines or table[0] != 1 or min(steps) < 0 or any(y > x + slack for x, y in zip(steps, steps[1:])):
        raise BadInput("speedup: must have h(1) = 1 and rise ever less, once for each machine")
    one.concave = all(x >= y for x, y in zip(steps, steps[1:]))
    one.gains = list(itertools.accumulate(reversed(steps), max))[::-1]
    one.moments = sorted({arrival for _, arrival, _ in jobs})
    return one


class MachinePrices:
    """Prices of machine time: what a job pays at least to do its work in intervals of the grid, in rationals rounded down."""

    def __init__(self, instance, line, where, moments=()):
        grid, price = fields(line, where, ["grid", "price"])
        grid = numbers(grid, where, 0)
        price = numbers(price, where, 0, max(0, len(grid) - 1))
        need(len(grid) >= 2 and all(x < y for x, y in zip(grid, grid[1:])), "%s: the grid does not grow" % where)
        need(len(grid) <= 1500 + 4 * len(instance.jobs), "%s: the grid has too many points" % where)
        self.given, self.instance = grid, instance
        self.grid = sorted({*grid, *moments})
        self.price = [price[bisect_right(grid, at) - 1] if grid[0] <= at < grid[-1] else Q(0) for at in self.grid]
        gains = [gain for gain in instance.gains if gain > 0]
        self.order = sorted((price / gain, k, r) for k, price in enumerate(self.price[:-1]) for r, gain in enumerate(gains))
        self.gains, self.ranks = gains, {}
        for rank, (_, k, r) in enumerate(self.order):
            self.ranks.setdefault(k, []).append((rank, r))

    def worth(self, start, end):
        """What all machines are worth at the prices between two times."""
        pieces = zip(self.grid, [*self.grid[1:], max(end, self.grid[-1])], self.price)
        return self.instance.machines * sum(max(Q(0), min(y, end) - max(x, start)) * price for x, y, price in pieces)

    def purchases(self, job):
        """By grid interval k from the job's arrival on: what it pays at least for work done before the interval and a function of
        the price of a unit of work in the interval, as the sorted bought pieces (rank, work)."""
        _, arrival, work = job
        bought, total = [], Q(0)
        for k, begin in enumerate(self.grid):
            end = self.grid[k + 1] if k + 1 < len(self.grid) else None
            if end is not None and end <= arrival:
                continue
            yield k, max(begin, arrival), bought, total
            if end is None:
                return
            length = end - max(begin, arrival)
            for rank, r in self.ranks[k]:
                piece = (rank, length * self.gains[r])
                bought.insert(bisect_left(bought, piece), piece)
                total += piece[1]
            while bought and total - bought[-1][1] >= work:
                total -= bought.pop()[1]

    def pays(self, bought, work, unit, most):
        """The least price of some work out of bought pieces and at most so much at the price of a unit; None if that is too little."""
        paid = Q(0)
        for rank, amount in bought:
            price = self.order[rank][0]
            amount = min(amount, work if price < unit else work - most)
            if amount <= 0:
                break
            paid += price * amount
            work -= amount
        return paid + work * unit if work <= most else None

    def columns(self, job, early, start, stop):
        """By grid interval from a time on and before another: the least of flowtime and payments when the job completes in it."""
        h = self.instance.h
        for k, begin, bought, _ in self.purchases(job):
            if self.grid[k] < start:
                continue
            if stop is not None and self.grid[k] >= stop:
                return
            price = self.price[k]
            unit = min((1 + price * r) / h[r] for r in range(1, len(h)))
            most = (self.grid[k + 1] - begin) * sum(self.gains) if k + 1 < len(self.grid) else job[2]
            paid = self.pays(bought, job[2], unit, most)
            if paid is not None:
                yield k, coarse(begin - job[1] + paid + early[k])

    def by(self, job, time):
        """The least price of completing by a time of the grid, None where it is impossible."""
        for k, begin, bought, total in self.purchases(job):
            if begin >= time:
                return self.pays(bought, job[2], Q(0), Q(0)) if total >= job[2] else None
        return None


def coarse(value):
    """The value, rounded down to 200 binary digits, so that denominators stay small."""
    shift = 200 - value.numerator.bit_length() + value.denominator.bit_length()
    if shift >= 0:
        return Q((value.numerator << shift) // value.denominator, 1 << shift)
    return Q((value.numerator // (value.denominator << -shift)) << -shift)


def redundancy_costs(instance, lines, first, node=None):
    """By job and interval between arrivals, of a node's windows if there is one, the least cost of completing there at the prices of
    these lines, and what is off."""
    need(lines, "there are no prices")
    prices = MachinePrices(instance, lines[0], "line %d" % first, instance.moments)
    jobs, last = instance.jobs, len(prices.grid)
    places = {job[0]: j for j, job in enumerate(jobs)}
    early = [[Q(0)] * (last + 1) for _ in jobs]
    off = prices.worth(prices.grid[0], prices.grid[-1])
    for at, line in enumerate(lines[1:]):
        where = "line %d" % (first + 1 + at)
        names, points, theta, most, proofs = fields(line, where, ["jobs", "points", "theta", "most", "proofs"])
        need(isinstance(names, list) and all(isinstance(name, str) and name in places for name in names) and len(set(names)) == len(names),
             "%s: jobs must be different ids of jobs" % where)
        chosen = [places[name] for name in names]
        points = numbers(points, where, 0, whole=True)
        theta, most = numbers(theta, where, 0, len(points)), numbers(most, where, 0, len(points), whole=True)
        need(isinstance(proofs, list) and len(proofs) == len(points), "%s: each point must have its proof" % where)
        need(all(point < len(prices.given) for point in points) and chosen, "%s: there is no such grid point, or no job" % where)
        for point, price, count, line in zip(points, theta, most, proofs):
            time = prices.given[point]
            dual = MachinePrices(instance, line, where, [Q(0), time])
            paid = [dual.by(jobs[j], time) for j in chosen]
            paid = sorted(one for one in paid if one is not None)
            worth = dual.worth(min(jobs[j][1] for j in chosen), time)
            need(len(paid) <= count or sum(paid[: count + 1]) > worth, "%s: more than %d jobs may be done by %r" % (where, count, float(time)))
            off += price * count
            for j in chosen:
                early[j][bisect_left(prices.grid, time)] += price
    costs = []
    for j, job in enumerate(jobs):
        after = list(itertools.accumulate(reversed(early[j])))[::-1]
        row = [NEVER] * len(instance.moments)
        start, stop = Q(0), None
        if node:
            start, stop = instance.moments[node.first[j]], [*instance.moments, None][node.last[j] + 1]
        for k, cost in prices.columns(job, after[1:], start, stop):
            at = bisect_right(instance.moments, prices.grid[k]) - 1
            row[at] = min(row[at], cost)
        costs.append(row)
    return costs, off


def verify_redundancy_prices(instance, proof):
    need(proof.value is None, "prices prove a bound and no value")
    costs, off = redundancy_costs(instance, proof.lines, 2)
    proof.bounds(sum(map(min, costs)) - off, True)


class Node:
    """What is known of the schedules of a node: orders as bits, the intervals that jobs may complete in, limits of copies, the
    costs of its jobs and what is off."""

    def __init__(self, known, first, last, copies, prices):
        self.known, self.first, self.last, self.copies, self.prices = known, first, last, copies, prices

    def but(self, **changes):
        node = Node(self.known, self.first[:], self.last[:], self.copies, self.prices)
        for name, value in changes.items():
            setattr(node, name, value)
        return node


class RedundancyTree:
    def __init__(self, instance, prices, bound):
        self.instance, self.prices, self.bound = instance, prices, bound  # prices as lines, and the number of the first one
        self.count, self.visited = len(instance.jobs), 0
        self.lengths = [y - x for x, y in zip(instance.moments, instance.moments[1:])]
        self.least = None

    def root(self):
        jobs, moments = self.instance.jobs, self.instance.moments
        known = [1 << j for j in range(self.count)]
        for i, j in itertools.permutations(range(self.count), 2):
            (_, a, v), (_, b, w) = jobs[i], jobs[j]
            if (a, v) == (b, w) and i < j or self.instance.concave and b == moments[-1] and (v < w or v == w and a < b):
                known = learn(known, i, j)
        return Node(known, [moments.index(job[1]) for job in jobs], [len(moments) - 1] * self.count, {},
                    redundancy_costs(self.instance, *self.prices[0]))

    def target(self, node):
        """What the jobs' costs at the node's prices must come to."""
        return self.bound + node.prices[1]

    def low(self, node, j, first=0, last=10**9):
        """The least cost of a job within its intervals, None where there is none."""
        return min(node.prices[0][j][max(node.first[j], first) : min(node.last[j], last) + 1], default=None)

    def open(self, node):
        """Passes windows on and trims them by prices; whether schedules below the bound are left."""
        while True:
            for i, j in itertools.permutations(range(self.count), 2):
                if node.known[i] >> j & 1:
                    node.first[j] = max(node.first[j], node.first[i])
                    node.last[i] = min(node.last[i], node.last[j])
            if any(x > y for x, y in zip(node.first, node.last)):
                return False
            lows = [self.low(node, j) for j in range(self.count)]
            room = self.target(node) - sum(lows)
            if room <= 0:
                return False
            changed = self.passes(node)
            for j, low in enumerate(lows):
                row = node.prices[0][j]
                while node.first[j] <= node.last[j] and row[node.first[j]] - low >= room:
                    node.first[j], changed = node.first[j] + 1, True
                while node.first[j] <= node.last[j] and row[node.last[j]] - low >= room:
                    node.last[j], changed = node.last[j] - 1, True
            if not changed:
                return True

    def passes(self, node):
        """Whether windows are not yet passed on along all pairs."""
        return any(node.known[i] >> j & 1 and (node.first[j] < node.first[i] or node.last[i] > node.last[j])
                   for i in range(self.count) for j in range(self.count))

    def sets(self, node, k):
        """The sets of jobs that may be unfinished in interval k, as bits."""
        here = [j for j, job in enumerate(self.instance.jobs) if job[1] <= self.instance.moments[k]]
        others = sum(self.low(node, j) for j in range(self.count) if j not in here)
        stay = [self.low(node, j, first=k) for j in here]
        gone = [self.low(node, j, last=k) if node.first[j] <= k else None for j in here]
        lows = [min(cost for cost in pair if cost is not None) for pair in zip(stay, gone)]
        rest = list(itertools.accumulate(reversed(lows), initial=Q(0)))[::-1]
        arrived = sum(1 << j for j in here)
        target, found, open_sets = self.target(node), [], [(0, 0, others, 0)]
        while open_sets:
            at, inside, cost, outside = open_sets.pop()
            self.visited += 1
            need(self.visited < 2**24, "the tree asks for too many sets", GivenUp)
            if cost + rest[at] >= target:
                continue
            if at == len(here):
                found.append(inside)
                continue
            j = here[at]
            if gone[at] is not None and not any(inside >> i & 1 and self.known_before(node, i, j) for i in here[:at]):
                open_sets.append((at + 1, inside, cost + gone[at], outside | 1 << j))
            if stay[at] is not None and not node.known[j] & outside & arrived:
                open_sets.append((at + 1, inside | 1 << j, cost + stay[at], outside))
        waits = [(U, j) for (at, U), limits in node.copies.items() if at == k
                 for j, (_, most) in limits.items() if most == 0 and not self.instance.shared]
        return [V for V in found if not any(self.skips(node, U, j, V) for U, j in waits)]

    def known_before(self, node, i, j):
        return node.known[i] >> j & 1

    def skips(self, node, U, j, V):
        """Whether set V cannot follow set U in which job j waits, which would complete first."""
        return V & ~U == 0 and V != U and not V >> j & 1 and (U & ~V) & ~node.known[j] == 0

    def run(self, nodes):
        """Goes through the nodes of the file in pre-order. A closed node has no line; where its windows cross it may have a leaf."""
        at, open_nodes, others = 0, [self.root()], []
        while open_nodes or at < len(nodes):
            try:
                need(open_nodes, "node %d is behind the end of the tree" % at)
                node = open_nodes.pop()
                given = node.but()
                if not self.open(node):
                    if at < len(nodes) and isinstance(nodes[at], dict) and "weights" not in nodes[at] and len(others) < 100:
                        try:
                            others.append((at + 1, open_nodes + self.children(given, nodes[at], "node %d" % at), self.least))
                        except Refused:
                            pass
                    if at < len(nodes) and isinstance(nodes[at], dict) and "weights" in nodes[at] and len(others) < 100:
                        others.append((at + 1, open_nodes[:], self.least))
                    continue
                need(at < len(nodes), "the tree is not complete")
                open_nodes += self.children(node, nodes[at], "node %d" % at)
                at += 1
            except Refused:
                if not others:
                    raise
                at, open_nodes, self.least = others.pop()

    def children(self, node, line, where):
        need(isinstance(line, dict), "%s: must be an object" % where)
        if "window" in line:
            j, k = numbers(fields(line, where, ["window"])[0], where, 0, 2, whole=True)
            need(j < self.count and node.first[j] < k <= node.last[j], "%s: the window is not parted" % where)
            before, after = node.but(), node.but()
            before.last[j], after.first[j] = k - 1, k
            return [after, before]
        if "pair" in line:
            i, j = job_indices(fields(line, where, ["pair"])[0], where, self.count, 2)
            need(i != j and not node.known[i] >> j & 1 and not node.known[j] >> i & 1, "%s: the order is known: neither" % where)
            return [node.but(known=learn(node.known, j, i)), node.but(known=learn(node.known, i, j))]
        if "copies" in line:
            return self.branch(node, line, where)
        if "prices" in line:
            number = numbers(fields(line, where, ["prices"]), where, 0, 1, whole=True)[0]
            need(0 < number < len(self.prices), "%s: there are no such prices" % where)
            return [node.but(prices=redundancy_costs(self.instance, *self.prices[number], node))]
        self.leaf(node, numbers(fields(line, where, ["weights"])[0], where, 0 if self.instance.shared else None, self.count), where)
        return []

    def limits(self, node, k, U, j):
        return node.copies.get((k, U), {}).get(j, (1 if self.instance.shared else 0, self.instance.machines))

    def branch(self, node, line, where):
        given, chosen = fields(line, where, ["copies", "set"])
        k, j, r = numbers(given, where, 0, 3, whole=True)
        chosen = job_indices(chosen, where, self.count)
        U = sum(1 << i for i in set(chosen))
        need(k < len(self.instance.moments) and j in chosen and len(set(chosen)) == len(chosen), "%s: there is no such set" % where)
        least, most = self.limits(node, k, U, j)
        need(least <= r < most, "%s: the copies are not parted" % where)
        children = []
        for span in ((r + 1, most), (least, r)):
            copies = dict(node.copies)
            copies[k, U] = {**copies.get((k, U), {}), j: span}
            children.append(node.but(copies=copies))
        return children

    def leaf(self, node, weights, where):
        total = sum(u * job[2] for u, job in zip(weights, self.instance.jobs))
        pieces = [self.pieces(weights[j], *self.limits(node, None, 0, j)) for j in range(self.count)]
        order = sorted(((value, j) for j in range(self.count) for value in pieces[j][1]), reverse=True)
        for k in range(len(self.instance.moments)):
            lowest = None
            for U in self.sets(node, k):
                earned = self.earn(node, k, U, weights, pieces, order)
                if earned is not None and (lowest is None or U.bit_count() - earned < lowest):
                    lowest = U.bit_count() - earned
            if lowest is None:
                return
            if k == len(self.lengths):
                need(lowest >= 0, "%s: in the last interval the machines earn more than the jobs wait" % where)
            else:
                total += self.lengths[k] * lowest
        if self.least is None or total < self.least:
            self.least = total

    def pieces(self, weight, least, most):
        """What a job's least machines earn together, which it has, and what each of its other machines earns."""
        instance = self.instance
        gains = [weight * gain for gain in instance.gains[least:most]]
        if instance.shared:
            return Q(0), [weight * instance.h[least] / least] * least + gains
        return weight * instance.h[least], [gain for gain in gains if gain > 0]

    def earn(self, node, k, U, weights, pieces, order):
        """The most that the machines earn while exactly the jobs of U are unfinished, None if they cannot be so for any time."""
        limits = node.copies.get((k, U))
        left, earned = self.instance.machines, Q(0)
        if limits:
            pieces = [self.pieces(weights[j], *limits[j]) if j in limits else piece for j, piece in enumerate(pieces)]
            order = sorted(((value, j) for j in range(self.count) if U >> j & 1 for value in pieces[j][1]), reverse=True)
            if not self.instance.shared:
                earned = sum(pieces[j][0] for j in limits)
                left -= sum(least for least, _ in limits.values())
                if left < 0:
                    return None
        for value, j in order:
            if left == 0:
                break
            if U >> j & 1:
                earned += value
                left -= 1
        return earned


def verify_redundancy_tree(instance, proof):
    need(len(instance.jobs) <= 60, "a tree has at most 60 jobs")
    lines, solution = proof.lines, None
    if lines and isinstance(lines[0], dict) and "solution" in lines[0]:
        lines, solution = lines[1:], fields(lines[0], "line 2", ["solution"])[0]
    need(len(lines) >= 2, "the tree is missing")
    first = 2 + len(proof.lines) - len(lines)
    starts = [at for at, line in enumerate(lines[:-1]) if at == 0 or isinstance(line, dict) and "grid" in line]
    prices = [(lines[start:end], first + start) for start, end in zip(starts, [*starts[1:], len(lines) - 1])]
    nodes = fields(lines[-1], "the last line", ["nodes"])[0]
    need(isinstance(nodes, list), "nodes must be a list")
    tree = RedundancyTree(instance, prices, Q(proof.bound))
    tree.run(nodes)
    need(tree.least is None or tree.least >= Q(proof.bound), "the weights prove %r, not %r" % (tree.least and rounded(tree.least, False), proof.bound))
    if proof.value is not None:
        redundancy_value(instance, solution, proof)


def redundancy_value(instance, solution, proof):
    jobs = instance.jobs
    left, now, total = [job[2] for job in jobs], Q(0), Q(0)
    need(isinstance(solution, list), "the solution must be a list of intervals")
    coming = sorted({job[1] for job in jobs if job[1] > 0})
    for at, held in enumerate(solution):
        where, rates, machines = "solution[%d]" % at, {}, Q(0)
        need(isinstance(held, list), "%s: must be a list" % where)
        for entry in held:
            j, copies, share = numbers(entry, where, 0, 3)
            need(j < len(jobs) and j.denominator == 1 and int(j) not in rates and jobs[int(j)][1] <= now and left[int(j)] > 0,
                 "%s: job %s is not there, done, or there twice" % (where, j))
            need(copies.denominator == 1 and 1 <= copies <= instance.machines and 0 < share <= 1 and (instance.shared or share == 1),
                 "%s: the copies or the share of job %s are not allowed" % (where, j))
            machines += copies * share
            rates[int(j)] = share * instance.h[int(copies)]
        need(machines <= instance.machines, "%s: needs more machines than there are" % where)
        ends = [left[j] / rate for j, rate in rates.items()] + ([coming[0] - now] if coming else [])
        need(ends, "%s: nothing ends it" % where)
        length = min(ends)
        now += length
        if coming and coming[0] == now:
            coming.pop(0)
        for j, rate in rates.items():
            left[j] -= rate * length
            total += now - jobs[j][1] if left[j] == 0 else 0
    need(not any(left), "the solution does not complete all jobs")
    proof.worth(total, True)
    proof.close()


# ---- cloning -----------------------------------------------------------------------------------------------------------------

UNIT = 4096  # of prices and bounds, in a slot


class Phase:
    """A phase in whole numbers: place in its job, parents, tasks, need, gains by copies, copies that matter, demands by server."""


def read_cloning(top):
    names = ["cpu", "mem"]
    if "resources" in top.value:
        names = top.raw("resources")
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            top.fail("resources", "must be a list of names")
        if names != ["cpu", "mem"]:
            top.keep("resources", names)
    most, each = top.whole("max_copies", 1, 10000), top.whole("max_copies_per_server", 1)
    servers = top.objects("servers", lambda one: (one.word("id"), [one.number(name, 0, 1e100) for name in names])[1])

    def phase(one):
        found = Phase()
        found.id, parents = one.word("id"), one.raw("parents")
        if not isinstance(parents, list) or not all(isinstance(parent, str) for parent in parents):
            one.fail("parents", "must be a list of ids")
        found.parents = one.keep("parents", parents)
        found.tasks, found.demand = one.whole("tasks", 1, 10**7), [one.number(name, 0, 1e100) for name in names]
        found.mean, sd = one.number("mean", above=0), one.number("sd", 0, 1e100)
        if "speedup" in one.value:
            found.h = one.table("speedup")
        else:
            if sd:
                one.fail("speedup", "is missing: give the canonical file, which has the table that was fitted to mean and sd")
            found.h = one.keep("speedup", [1.0] * most)
        steps = [y - x for x, y in zip([0.0, *found.h], found.h)]
        if len(found.h) != most or found.h[0] != 1 or min(steps) < -1e-9 or any(y > x + 1e-9 for x, y in zip(steps, steps[1:])):
            one.fail("speedup", "must have h(1) = 1 and rise ever less")
        return found

    def job(one):
        return one.word("id"), one.whole("arrival"), one.objects("phases", phase)

    jobs = top.objects("jobs", job)
    return Space(servers, most, each, jobs)


class Space:
    """The instance in whole numbers. A state of a job is the progress of its tasks, phase by phase."""

    def __init__(self, servers, most, each, jobs):
        self.most, self.each, self.servers = most, each, servers
        begin = min(arrival for _, arrival, _ in jobs)
        self.arrival, self.jobs, self.phases = [arrival - begin for _, arrival, _ in jobs], [], []
        self.begin = begin
        longest = max([1.0] + [phase.mean for _, _, phases in jobs for phase in phases])
        self.bits = 60 - math.frexp(longest)[1]
        # Capacities and demands by server and resource, 2^60 being some power of two above the capacity.
        scales = [[60 - math.frexp(one)[1] if one else None for one in server] for server in servers]
        self.room = [tuple(math.floor(Q(max(one * 1.000000001, one + 1e-9 * one)) * Q(2) ** scale) if one else 0
                           for one, scale in zip(map(float, server), row)) for server, row in zip(servers, scales)]
        for at, (_, _, phases) in enumerate(jobs):
            places = {phase.id: k for k, phase in enumerate(phases)}
            first = 0
            for phase in phases:
                if not all(parent in places for parent in phase.parents):
                    raise BadInput("jobs: a parent is no phase of its job")
                phase.job, phase.index, phase.before = at, len(self.phases), [places[parent] for parent in phase.parents]
                phase.span = range(first, first + phase.tasks) if phase.tasks <= 1000 else range(0)
                first += phase.tasks
                phase.goal = Q(phase.mean - max(1e-9, 1e-14 * phase.mean))
                phase.need = max(1, math.floor(phase.goal * Q(2) ** self.bits))
                phase.gains = [0] + [math.ceil(Q(one) * Q(2) ** self.bits) for one in phase.h]
                phase.size = [tuple(math.ceil(Q(one) * Q(2) ** scale) if scale is not None else int(one > 0) for one, scale
                                    in zip(phase.demand, row)) for row in scales]
                self.phases.append(phase)
            self.jobs.append(phases)
            self.ancestors(phases)
            for k, phase in enumerate(phases):
                phase.apart = {other.index for q, other in enumerate(phases) if q in phase.above or k in other.above}
        for phase in self.phases:
            phase.useful = self.useful(phase)
            phase.sums = self.sums(phase)
        self.packed, self.arcs_of = {}, {}

    def ancestors(self, phases):
        for _ in phases:
            for phase in phases:
                phase.above = set(phase.before).union(*[getattr(phases[k], "above", set()) for k in phase.before])
        if any(k in phase.above for k, phase in enumerate(phases)):
            raise BadInput("jobs: phases wait for each other in a circle")

    def held(self, phase, server):
        """The most copies of one task on a server."""
        fits = [room // size for size, room in zip(phase.size[server], self.room[server]) if size]
        return min([self.each, self.most, *fits])

    def useful(self, phase):
        """The copies of a task beyond which none adds progress, has room or is needed to end it in one slot."""
        room = sum(self.held(phase, server) for server in range(len(self.servers)))
        if not room:
            raise BadInput("jobs: no server holds a task")
        count, phase.most = 1, min(self.most, room)
        while count < phase.most and phase.gains[count] < max(phase.gains[count + 1 :]) and phase.gains[count] < phase.need:
            count += 1
        return 1 if -(-phase.need // phase.gains[count]) == -(-phase.need // phase.gains[1]) else count

    def sums(self, phase):
        """What slots of a task can bring, ascending up to its need; empty where that is more than 5,000."""
        found, fresh = {0}, {0}
        while fresh:
            fresh = {one + gain for one in fresh if one < phase.need for gain in phase.gains[1 : phase.useful + 1]} - found
            found |= fresh
            if len(found) > 5000:
                return []
        return sorted(found)

    def after(self, phase, progress, copies):
        """The progress of a task after a slot, rounded down to the least that takes the same slots."""
        left = phase.need - progress - phase.gains[copies]
        if left <= 0:
            return phase.need
        return max(0, phase.need - phase.sums[bisect_left(phase.sums, left)]) if phase.sums else phase.need - left

    def fits(self, tasks):
        """Whether tasks, as (phase, copies) sorted, fit on the servers together."""
        if tasks not in self.packed:
            self.packed[tasks] = self.pack(sorted(tasks, key=lambda one: [-size for size in self.phases[one[0]].size[0]]), 0, 0, 0, list(self.room))
        return self.packed[tasks]

    def pack(self, tasks, at, server, here, room):
        """Places the copies of the tasks from at on one after the other; the next one of this task not before a server."""
        if at == len(tasks):
            return True
        phase, copies = self.phases[tasks[at][0]], tasks[at][1]
        tried = set()
        for place in range(server, len(room)):
            used = here % 100000 if place == server else 0
            left = tuple(free - size for free, size in zip(room[place], phase.size[place]))
            kind = (room[place], self.room[place])
            if used < self.each and min(left) >= 0 and kind not in tried:
                if not used and self.each == 1 and copies == 1:
                    tried.add(kind)
                kept, room[place] = room[place], left
                done = here // 100000 + 1
                following = (at + 1, 0, 0) if done == copies else (at, place, done * 100000 + used + 1)
                found = self.pack(tasks, *following, room)
                room[place] = kept
                if found:
                    return True
        return False

    def done(self, job, state):
        return all(state[i] >= phase.need for phase in self.jobs[job] for i in phase.span)

    def open_tasks(self, job, state):
        """The tasks of a job that may run, as (phase, task)."""
        phases = self.jobs[job]
        ready = [phase for phase in phases if all(state[i] >= phases[k].need for k in phase.before for i in phases[k].span)]
        return [(phase, i) for phase in ready for i in phase.span if state[i] < phase.need]

    def settled(self, job, state):
        """Tasks of a phase are alike: the most advanced comes first."""
        return tuple(x for phase in self.jobs[job] for x in sorted((state[i] for i in phase.span), reverse=True))

    def arcs(self, job, state):
        """The ways through a slot, as (tasks with copies, state after it); of two to the same state the one with more copies is left out."""
        key = job, state
        if key not in self.arcs_of:
            found, tasks = {}, self.open_tasks(job, state)
            need(math.prod(phase.useful + 1 for phase, _ in tasks) <= 10**5, "a job has too many states", GivenUp)

            def choose(at, chosen, following):
                if at == len(tasks):
                    found.setdefault(self.settled(job, following), set()).add(tuple(sorted(chosen)))
                    return
                phase, i = tasks[at]
                choose(at + 1, chosen, following)
                for copies in range(1, phase.useful + 1):
                    more = chosen + [(phase.index, copies)]
                    if not self.fits(tuple(sorted(more))):
                        break
                    choose(at + 1, more, following[:i] + (self.after(phase, following[i], copies),) + following[i + 1 :])

            choose(0, [], state)
            self.arcs_of[key] = [(tasks, following) for following, ways in found.items() for tasks in ways
                                 if not any(self.fewer(other, tasks) for other in ways)]
        return self.arcs_of[key]

    def fewer(self, x, y):
        """Whether one set of copies has nowhere more than another, and somewhere less: sets of tasks are compared by phase, sorted."""
        def rows(tasks):
            found = {}
            for phase, copies in tasks:
                found.setdefault(phase, []).append(copies)
            return {phase: sorted(row, reverse=True) for phase, row in found.items()}

        x_rows, y_rows = rows(x), rows(y)
        return x != y and all(phase in y_rows and len(row) <= len(y_rows[phase]) and all(a <= b for a, b in zip(row, y_rows[phase]))
                              for phase, row in x_rows.items())

    def fillings(self):
        """Sets of copies for all servers, by phase: no two phases of which one waits for the other, none to which a copy can be added."""
        found = {(0,) * len(self.phases)}
        for server in range(len(self.servers)):
            following = set()
            for one in found:
                following |= self.fill(server, one, self.room[server], 0, (0,) * len(self.phases))
            need(len(following) <= 50000, "there are too many sets of copies", GivenUp)
            # A phase that is left out leaves later servers to those that it waits for: only sets of the same such phases are compared.
            alike = {}
            for one in following:
                alike.setdefault(tuple(n > 0 for n, phase in zip(one, self.phases) if phase.apart), []).append(one)
            found = {one for ones in alike.values() for one in self.maximal(ones)}
        return self.maximal(found)

    def fill(self, server, have, room, at, here):
        found, extended = set(), False
        for k in range(at, len(self.phases)):
            phase = self.phases[k]
            left = tuple(free - size for free, size in zip(room, phase.size[server]))
            if min(left) < 0 or have[k] >= phase.tasks * phase.useful or here[k] >= phase.tasks * min(self.each, phase.useful):
                continue
            if any(have[other] for other in phase.apart):
                continue
            extended = extended or have[k] or not phase.apart
            found |= self.fill(server, have[:k] + (have[k] + 1,) + have[k + 1 :], left, k, here[:k] + (here[k] + 1,) + here[k + 1 :])
        return found if extended else found | {have}

    @staticmethod
    def maximal(found):
        kept = []
        for one in sorted(found, key=sum, reverse=True):
            if not any(all(x <= y for x, y in zip(one, other)) for other in kept):
                kept.append(one)
        return kept


class Bounds:
    """What states of jobs pay at the least by sets of prices, and what servers earn."""

    def __init__(self, space, sets, arcs):
        self.space, self.sets, self.paid, self.ways, self.arcs = space, sets, {}, space.fillings(), arcs
        self.earned, self.free, self.last = {}, {}, [max((len(row) for row in one), default=0) for one in sets]

    def price(self, q, tasks, moment):
        return sum(self.sets[q][phase][moment] * copies for phase, copies in tasks if moment < len(self.sets[q][phase]))

    def pays(self, q, job, state, moment):
        """The least, over the ways to its end, of a slot each and the prices of their copies."""
        moment = max(moment, self.space.arrival[job])
        if self.space.done(job, state):
            return 0
        if moment >= self.last[q]:
            return self.slots(job, state) * UNIT
        key = q, job, state, moment
        if key not in self.paid:
            self.paid[key] = UNIT + min(self.price(q, tasks, moment) + self.pays(q, job, following, moment + 1)
                                        for tasks, following, *_ in self.arcs(job, state))
        return self.paid[key]

    def slots(self, job, state):
        if self.space.done(job, state):
            return 0
        key = job, state
        if key not in self.free:
            self.free[key] = 1 + min(self.slots(job, following) for _, following, *_ in self.arcs(job, state) if following != state)
        return self.free[key]

    def earns(self, q, moment, done):
        """The most that the servers earn in all slots to come, by copies of phases that are not done."""
        if moment >= self.last[q]:
            return 0
        key = q, moment, done
        if key not in self.earned:
            row = [0 if k in done or moment >= len(prices) else prices[moment] for k, prices in enumerate(self.sets[q])]
            best = max(sum(price * copies for price, copies in zip(row, way)) for way in self.ways)
            self.earned[key] = best + self.earns(q, moment + 1, done)
        return self.earned[key]

    def bound(self, q, cost, states, moment):
        done = frozenset(phase.index for phase in self.space.phases
                         if all(states[phase.job][i] >= phase.need for i in phase.span))
        return cost * UNIT + sum(self.pays(q, j, state, moment) for j, state in enumerate(states)) - self.earns(q, moment, done)


def verify_cloning_states(space, proof):
    sys.setrecursionlimit(100000)
    lines, solution = proof.lines, None
    if lines and isinstance(lines[0], dict) and "solution" in lines[0]:
        lines, solution = lines[1:], fields(lines[0], "line 2", ["solution"])[0]
    need(len(lines) >= 1, "there are no prices and states")
    prices, states = fields(lines[0], "the guide", ["prices", "states"])
    need(isinstance(prices, list) and prices and all(isinstance(one, list) and len(one) == len(space.phases) for one in prices),
         "prices must be by phase")
    sets = [[numbers(row, "prices", 0, whole=True) for row in one] for one in prices]
    need(isinstance(states, list) and len(states) == len(space.jobs), "states must be by job")
    need(proof.bound == int(proof.bound) and abs(proof.bound) <= 2**50, "a bound must be a whole number")
    stop = (proof.reference == "opt-nonpreemptive")
    tables = [[read_state(space, job, state, stop) for state in row] for job, row in enumerate(states)]
    kept = {}
    for line in lines[1:]:
        at, keep = fields(line, "a moment", ["at", "keep"])
        (at,) = numbers([at], "a moment", 0, 1, whole=True)
        need(not kept or at > max(kept), "moments must ascend")
        kept[at] = []
        need(isinstance(keep, list), "keep must be a list")
        for entry in keep:
            entry = numbers(entry, "keep", 0, len(space.jobs) + (1 if stop else 2), whole=True)
            q, cost, places = entry[0], 0 if stop else entry[1], entry[-len(space.jobs):]
            need(q < len(sets) and cost < proof.bound and all(place < len(row) for place, row in zip(places, tables)),
                 "keep has prices, a cost or a state that are not there")
            kept[at].append((q, cost, tuple(row[place] for place, row in zip(places, tables))))
    (Running if stop else Stopping)(space, sets, int(proof.bound)).follow(kept)
    if proof.value is not None:
        cloning_value(space, solution, proof)


def copies_at_once(space, sizes):
    """The most copies of at least some sizes, by server, that run at a time; none if they need nothing."""
    found = 0
    for size, room in zip(sizes, space.room):
        fits = [free // one for one, free in zip(size, room) if one]
        if not fits:
            return None
        found += min(fits)
    return found


def slots_of_work(space, phases):
    """The slots that the work of some phases takes the cluster at the least, and no task of them alone."""
    work = [phase.tasks * max(1, min(-(-phase.need * count // phase.gains[count]) for count in range(1, phase.most + 1))) for phase in phases]
    most = copies_at_once(space, [[min(sizes) for sizes in zip(*rows)] for rows in zip(*(phase.size for phase in phases))])
    found = [-(-sum(work) // most)] if most else [0]
    for resource in range(len(space.servers[0])):
        need_of = sum(Q(phase.demand[resource]) * units for phase, units in zip(phases, work))
        total = sum(Q(max(server[resource] * 1.000000001, server[resource] + 1e-9 * server[resource])) for server in space.servers)
        if total:
            found.append(math.ceil(need_of / total))
    return max(found)


def verify_cloning_heads(space, proof):
    """Each job alone: a set of its phases takes its least head, its work and its least tail."""
    solution, lines = proof.begin("solution")
    ends = []
    for arrival, phases in zip(space.arrival, space.jobs):
        for phase in phases:
            phase.slots = max(-(-phase.need // max(phase.gains[: phase.useful + 1])), slots_of_work(space, [phase]))
            phase.head, phase.tail = arrival, 0
        order = sorted(phases, key=lambda phase: len(phase.above))
        for phase in order:
            phase.head = max([arrival] + [phases[k].head + phases[k].slots for k in phase.before])
        for phase in reversed(order):
            for k in phase.before:
                phases[k].tail = max(phases[k].tail, phase.tail + phase.slots)
        ends.append(max(phase.head + phase.slots for phase in phases))
    for line in lines:
        job, chosen = fields(line, "a set", ["job", "phases"])
        (job,) = numbers([job], "job", 0, 1, whole=True)
        chosen = numbers(chosen, "phases", 0, whole=True)
        need(job < len(ends) and chosen and all(x < y for x, y in zip(chosen, chosen[1:])) and chosen[-1] < len(space.jobs[job]),
             "a set must have a job and ascending phases of it")
        phases = [space.jobs[job][k] for k in chosen]
        ends[job] = max(ends[job], min(phase.head for phase in phases) + slots_of_work(space, phases) + min(phase.tail for phase in phases))
    proof.bounds(sum(ends) - sum(space.arrival), True)
    if proof.value is not None:
        cloning_value(space, solution, proof)


def read_state(space, job, state, stop):
    count = space.jobs[job][-1].span.stop
    rows = count * len(space.servers) if stop else 0
    state = tuple(numbers(state, "states", 0, count + rows, whole=True))
    for phase in space.jobs[job]:
        need(all(state[i] <= phase.need for i in phase.span), "no schedule has a job in such a state")
        need(all(x == space.after(phase, x - phase.gains[1], 1) for x in state[phase.span.start : phase.span.stop] if x), "no schedule has a job in such a state")
    return state


class Stopping:
    """Follows the states of preemptive schedules from slot to slot."""

    def __init__(self, space, sets, bound):
        self.space, self.bounds, self.target = space, Bounds(space, sets, space.arcs), (bound - 1) * UNIT
        self.limit, self.steps = bound, 0

    def follow(self, kept):
        start = tuple((0,) * phases[-1].span.stop for phases in self.space.jobs)
        self.check(0, 0, start, kept.get(0, []), 0)
        for moment in sorted(kept):
            seen = set()
            for q, cost, states in kept[moment]:
                spent = self.bounds.bound(q, cost, states, moment)
                if spent > self.target:
                    continue
                need(not all(self.space.done(j, state) for j, state in enumerate(states)), "at %d a state is a schedule" % moment)
                self.expand(moment, q, cost, states, self.target - spent, kept.get(moment + 1, []), seen)

    def expand(self, moment, q, cost, states, room, following, seen):
        """Tries all choices of one arc for each job that is there."""
        space, bounds = self.space, self.bounds
        here = [j for j, state in enumerate(states) if space.arrival[j] <= moment and not space.done(j, state)]
        cost += len(here)
        options = []
        for j in here:
            least = bounds.pays(q, j, states[j], moment)
            ways = [(UNIT + bounds.price(q, tasks, moment) + bounds.pays(q, j, after, moment + 1) - least, tasks, after)
                    for tasks, after in space.arcs(j, states[j])]
            options.append(sorted((way for way in ways if way[0] <= room), key=lambda way: way[0]))

        chosen = [None] * len(here)

        def choose(at, room, tasks, found):
            self.steps += 1
            need(self.steps < 3 * 10**7, "the proof asks for too much")
            if at == len(here):
                key = tuple(found), cost
                if key not in seen and (self.closed(moment + 1, cost, key[0], following, q) or not self.further(here, states, chosen)):
                    seen.add(key)
                    self.check(moment + 1, cost, key[0], following, q)
                return
            j = here[at]
            for more, way, after in options[at]:
                if more > room:
                    break
                joined = tuple(sorted(tasks + way))
                if space.fits(joined):
                    chosen[at] = way, after
                    choose(at + 1, room - more, joined, found[:j] + [after] + found[j + 1 :])

        choose(0, room, (), list(states))

    def further(self, here, states, chosen):
        """Whether some job could take another arc, which fits, to a state with more progress of some task and less of none."""
        for at, j in enumerate(here):
            others = sum((way for k, (way, _) in enumerate(chosen) if k != at), ())
            for tasks, after in self.space.arcs(j, states[j]):
                if after != chosen[at][1] and all(x >= y for x, y in zip(after, chosen[at][1])) and self.space.fits(tuple(sorted(others + tasks))):
                    return True
        return False

    def closed(self, moment, cost, states, kept, q):
        """Whether a state of the file covers this one, or its bound is high enough."""
        return any(other <= cost and all(x >= y for ours, theirs in zip(covering, states) for x, y in zip(ours, theirs))
                   for _, other, covering in kept) or self.bounds.bound(q, cost, states, moment) > self.target

    def check(self, moment, cost, states, kept, q):
        need(self.closed(moment, cost, states, kept, q),
             "at moment %d a schedule of cost %d may end with less than %d, and is not among the states kept" % (moment, cost, self.limit))


def cloning_value(space, solution, proof):
    """Checks a schedule by the definition, without the forgiveness of the checker."""
    need(isinstance(solution, list), "the solution must be a list of copies")
    copies, stop = {}, proof.reference == "opt-nonpreemptive"
    loads = {}
    for entry in solution:
        j, k, i, server, start, end = numbers(entry, "solution", 0, 6, whole=True)
        start, end = start - space.begin, end - space.begin  # copies have the instance's times
        need(j < len(space.jobs) and k < len(space.jobs[j]) and i < space.jobs[j][k].tasks and server < len(space.servers) and start < end,
             "a copy is of nothing that is there: %s" % entry)
        copies.setdefault((j, k, i), []).append((start, end, server))
    ends, total = {}, 0
    for j, phases in enumerate(space.jobs):
        waiting = list(range(len(phases)))
        while waiting:
            k = next(k for k in waiting if all(before not in waiting for before in phases[k].before))
            waiting.remove(k)
            phase = phases[k]
            begin = max([space.arrival[j]] + [ends[j, before] for before in phase.before])
            ends[j, k] = max(task_end(space, phase, copies.get((j, k, i), []), begin, stop, (j, k, i)) for i in range(phase.tasks))
        total += max(ends[j, k] for k in range(len(phases))) - space.arrival[j]
    for (j, k, _), spans in copies.items():
        for start, end, server in spans:
            need(end - start <= 10**6, "a copy is too long to be looked at")
            for slot in range(start, end):
                held = loads.setdefault((server, slot), [0] * len(space.room[server]))
                for r, size in enumerate(space.jobs[j][k].size[server]):
                    held[r] += size
    for (server, slot), held in loads.items():
        need(all(x <= y for x, y in zip(held, space.room[server])), "in slot %d server %d has more than its capacity" % (slot + 1, server))
    need(proof.value == total, "the value is said to be %r, the solution is worth %d" % (proof.value, total))
    need(proof.value == proof.bound, "value %r and bound %r are too far apart for an optimum" % (proof.value, proof.bound))
    proof.optimal = True


def task_end(space, phase, spans, begin, stop, name):
    need(spans and min(start for start, _, _ in spans) >= begin, "task %s has no copy, or one that starts before it may, at %d" % (name, begin))
    progress, slot = Q(0), None
    points = sorted({point for start, end, _ in spans for point in (start, end)})
    for x, y in zip(points, points[1:]):
        running = [server for start, end, server in spans if start <= x < end]
        need(len(running) <= space.most and all(running.count(server) <= space.each for server in running), "task %s has too many copies" % (name,))
        rate = Q(phase.h[len(running) - 1]) if running else Q(0)
        if rate and progress + rate * (y - x) >= phase.goal:
            slot = x + max(1, math.ceil((phase.goal - progress) / rate))
            break
        progress += rate * (y - x)
    need(slot is not None, "task %s is not completed" % (name,))
    need(points[-1] <= slot, "task %s has copies after its completion" % (name,))
    need(not stop or all(end == slot for _, end, _ in spans), "a copy of task %s stops before it is done" % (name,))
    return slot


class Running:
    """Follows the states of nonpreemptive schedules: behind the progress of its tasks a state has their running copies by server."""

    def __init__(self, space, sets, bound):
        self.space, self.servers, self.arcs_of, self.steps = space, len(space.servers), {}, 0
        self.bounds, self.target, self.limit = Bounds(space, sets, self.arcs), (bound - 1) * UNIT, bound

    def row(self, job, state, i):
        start = self.space.jobs[job][-1].span.stop + i * self.servers
        return state[start : start + self.servers]

    def rows(self, phase, running):
        """The rows of copies that a task may have in a slot beside those that run."""
        found = [running]
        for server in range(self.servers):
            found = [row[:server] + (copies,) + row[server + 1 :] for row in found
                     for copies in range(row[server], max(row[server], self.space.held(phase, server)) + 1)
                     if sum(row) - row[server] + copies <= max(phase.useful, sum(running))]
        return found

    def arcs(self, job, state):
        """The ways through a slot: (tasks with copies, state after it, the rows of each phase, the copies that start, by phase and server)."""
        key = job, state
        if key in self.arcs_of:
            return self.arcs_of[key]
        space, found, tasks = self.space, {}, self.space.open_tasks(job, state)
        options = [(phase, i, self.rows(phase, self.row(job, state, i))) for phase, i in tasks]
        need(math.prod(len(rows) for _, _, rows in options) <= 10**5, "a job has too many states", GivenUp)
        count = space.jobs[job][-1].span.stop

        def choose(at, room, chosen):
            if at < len(options):
                phase, i, rows = options[at]
                for row in rows:
                    left = take(space, phase, row, room)
                    if left is not None:
                        choose(at + 1, left, chosen + [(phase, i, row)])
                return
            progress, running = list(state[:count]), {}
            for phase, i, row in chosen:
                if any(row):
                    progress[i] = space.after(phase, state[i], sum(row))
                    if progress[i] < phase.need:
                        running[i] = row
            ordered = [pair for phase in space.jobs[job]
                       for pair in sorted(((progress[i], running.get(i, (0,) * self.servers)) for i in phase.span), reverse=True)]
            after = tuple(one for one, _ in ordered) + tuple(x for _, row in ordered for x in row)
            have = [(phase.index, row) for phase, i, row in chosen if any(row)]
            starts = {(phase, server) for phase, i, row in chosen for server, (x, y) in enumerate(zip(row, self.row(job, state, i))) if x > y}
            fresh = sum(sum(row) - sum(self.row(job, state, i)) for _, i, row in chosen)
            found.setdefault(after, []).append((have, starts, fresh))

        choose(0, self.space.room, [])
        kept = []
        for after, ways in found.items():
            sizes = [self.copies(have) for have, _, _ in ways]
            for at, (have, starts, fresh) in enumerate(ways):
                if not any(sizes[at] != other and all(x <= y for x, y in zip(other, sizes[at])) for other in sizes):
                    kept.append((tuple((phase, sum(row)) for phase, row in have), after, have, starts, fresh))
        self.arcs_of[key] = kept
        return kept

    def copies(self, have):
        found = [0] * (len(self.space.phases) * self.servers)
        for phase, row in have:
            for server, copies in enumerate(row):
                found[phase * self.servers + server] += copies
        return found

    def follow(self, kept):
        space = self.space
        start = tuple((0,) * (phases[-1].span.stop * (1 + self.servers)) for phases in space.jobs)
        reached, moment = {}, 0
        self.reach(reached, start, (0, 0, space.room, ()), 0, {states: q for q, _, states in kept.get(0, [])}, 0)
        while reached:
            listed = {states: q for q, _, states in kept.get(moment + 1, [])}
            following = {}
            for q, _, states in kept.get(moment, []):
                if states not in reached:
                    continue
                cost, starts, room, ended = reached[states]
                spent = self.bounds.bound(q, cost, states, moment)
                if spent > self.target:
                    continue
                need(not all(space.done(j, state) for j, state in enumerate(states)), "at %d a state is a schedule" % moment)
                self.expand(moment, q, (cost, starts, room, ended), states, self.target - spent, following, listed)
            reached, moment = following, moment + 1

    def may_start(self, phase, server, moment, room, ended):
        """Whether a copy could not have started a slot earlier: its job arrived, a parent ended, or it did not fit beside what ran."""
        return (self.space.arrival[phase.job] == moment or any(self.space.jobs[phase.job][k].index in ended for k in phase.before)
                or any(size > free for size, free in zip(phase.size[server], room[server])))

    def expand(self, moment, q, way, states, slack, following, listed):
        space, bounds = self.space, self.bounds
        cost, started, room, ended = way
        here = [j for j, state in enumerate(states) if space.arrival[j] <= moment and not space.done(j, state)]
        options = []
        for j in here:
            least = bounds.pays(q, j, states[j], moment)
            ways = []
            for tasks, after, have, starts, fresh in self.arcs(j, states[j]):
                more = UNIT + bounds.price(q, tasks, moment) + bounds.pays(q, j, after, moment + 1) - least
                if more <= slack and all(self.may_start(phase, server, moment, room, ended) for phase, server in starts):
                    ways.append((more, after, have, fresh))
            options.append(ways)

        def choose(at, slack, left, found, fresh):
            self.steps += 1
            need(self.steps < 3 * 10**7, "the proof asks for too much")
            if at == len(here):
                over = tuple(phase.index for phase in space.phases if all(found[phase.job][i] >= phase.need for i in phase.span)
                             and any(states[phase.job][i] < phase.need for i in phase.span))
                self.reach(following, tuple(found), (cost + len(here), started + fresh * moment, left, over), q, listed, moment + 1)
                return
            j = here[at]
            for more, after, have, new in options[at]:
                rest = left if more <= slack else None
                for phase, row in have:
                    rest = rest and take(space, space.phases[phase], row, rest)
                if rest is not None:
                    choose(at + 1, slack - more, rest, found[:j] + [after] + found[j + 1 :], fresh + new)

        choose(0, slack, self.space.room, list(states), 0)

    def reach(self, reached, states, way, q, listed, moment):
        if states in listed:
            if states not in reached or way[:2] < reached[states][:2]:
                reached[states] = way
        else:
            need(self.bounds.bound(q, way[0], states, moment) > self.target,
                 "at moment %d a schedule of cost %d may end with less than %d, and is not among the states kept" % (moment, way[0], self.limit))


def take(space, phase, row, room):
    """What is left of the servers after some copies of a phase, None where they do not fit."""
    left = list(room)
    for server, copies in enumerate(row):
        if copies:
            left[server] = tuple(free - copies * size for free, size in zip(room[server], phase.size[server]))
            if min(left[server]) < 0:
                return None
    return left


# ---- The program -------------------------------------------------------------------------------------------------------------

PROBLEMS = {
    "cloning": (read_cloning, {"cloning-heads": (["opt", "opt-nonpreemptive"], verify_cloning_heads),
                               "cloning-states": (["opt", "opt-nonpreemptive"], verify_cloning_states)}),
    "redundancy": (read_redundancy, {"redundancy-tree": (["opt"], verify_redundancy_tree), "prices": (["opt"], verify_redundancy_prices)}),
    "flex": (read_flex, {"flex-orders": (["opt"], verify_flex_orders), "flex-deadlines": (["opt"], verify_flex_deadlines),
                         "flex-prices": (["opt"], verify_flex_max), "flex-machine": (["opt"], verify_flex_machine),
                         "prices": (["opt"], verify_flex_prices)}),
    "speculation": (read_speculation, {"speculation-prices": (["opt"], verify_speculation)}),
    "pocd": (read_pocd, {"pocd-multiplier": (["opt", "opt-all"], verify_pocd)}),
}


def read_instance(path):
    text = read(path, False)
    try:
        top = Reader(parse(text), "instance")
        problem = top.word("problem", list(PROBLEMS))
        top.whole("version", 1, 1)
        top.word("name")
        if "lineage" in top.value:
            if not isinstance(top.raw("lineage"), dict):
                top.fail("lineage", "must be an object")
            top.keep("lineage", lineage(text))
        instance = PROBLEMS[problem][0](top)
        top.done()
    except (BadInput, ValueError, RecursionError) as error:
        raise BadInput("%s: %s" % (path, error)) from None
    canonical = written(top.canonical) + "\n"
    return problem, top.canonical["name"], hashlib.sha256(canonical.encode()).hexdigest(), instance


def verify(problem, name, digest, instance, proof):
    need(proof.problem == problem, "the proof is of the problem %r, the instance of %s" % (proof.problem, problem))
    need(proof.name == name, "the proof is of the instance %r, this is %r" % (proof.name, name))
    need(proof.hash == digest, "the proof is of an instance of the hash %s, this is %s" % (proof.hash, digest))
    kinds = PROBLEMS[problem][1]
    need((problem, proof.kind) != ("cloning", "prices"), "prices of cloning are not covered by this program", GivenUp)
    need(proof.kind in kinds, "proofs of the kind %r are not known of %s; known are: %s" % (proof.kind, problem, ", ".join(kinds)))
    references, check = kinds[proof.kind]
    need(proof.reference in references,
         "proofs of the kind %s are not of the reference %r but of: %s" % (proof.kind, proof.reference, ", ".join(references)))
    need(proof.trouble is None, proof.trouble)
    check(instance, proof)


def main(arguments):
    if len(arguments) != 2:
        sys.stderr.write("usage: checkproof.py INSTANCE[.gz] PROOF[.gz]\n")
        return 2
    try:
        problem, name, digest, instance = read_instance(arguments[0])
        proof = Proof(arguments[1])
    except BadInput as error:
        sys.stderr.write("checkproof.py: %s\n" % error)
        return 2
    try:
        verify(problem, name, digest, instance, proof)
        reason, code = None, 0
    except Refused as error:
        reason, code = str(error), 3 if isinstance(error, GivenUp) else 1
    except (RecursionError, MemoryError) as error:
        reason, code = "the proof asks for too much: %s" % type(error).__name__, 3
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        reason, code = "the proof has not the form of its kind: %s" % error, 1
    gap = None if proof.value is None else proof.value - proof.bound
    print(written({"problem": problem, "instance": name, "reference": proof.reference, "value": proof.value, "bound": proof.bound,
                   "verified": reason is None, "optimal": reason is None and proof.optimal, "gap": gap, "reason": reason}))
    return code


if __name__ == "__main__":
    if sys.stdout is not None:  # JSON is UTF-8 everywhere; an answer that cannot be encoded would end with the code of a refusal
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main(sys.argv[1:]))
