"""Words through groups, automata and weighted automata, in plain Python; joint states walked through.

A network must give what the machine that it was compiled from gives, so outputs are recomputed
from that machine alone; of the layers only the counts of joint states are modelled.  Where a document
has the layers themselves, networks.py runs them.
"""
import itertools
import pathlib
import re
from fractions import Fraction

import trackers
from by_gap import SYSTEM
from cases import Skip


def permutations(text):
    """The generators r, s of a named group as the manual has them ({} if it has none), and its number of points."""
    m = int(text[1:])
    if text[0] == "Z":
        return {"r": tuple((i + 1) % m for i in range(m))}, m
    if text[0] == "D" and m > 2:
        return {"r": tuple((i + 1) % m for i in range(m)), "s": tuple(-i % m for i in range(m))}, m
    return {}, m


def element(word, known, points):
    """(1,2)(3,4), [1,0], e, r^2, or an element of Z_m by its number."""
    if word in known:
        return known[word]
    if word in ("e", "()"):
        return tuple(range(points))
    if word.startswith("["):
        return tuple(int(x) for x in word.strip("[]").split(","))
    if word.startswith("("):
        return trackers.from_cycles(word, points)
    name, _, power = word.partition("^")
    if name.isdigit():
        name, power = "r", name
    g = tuple(range(points))
    for _ in range(int(power or 1)):
        g = trackers.compose(known[name], g)
    return g


def letters_in(case):
    """The letters of the word, or None where no word is given."""
    word = case.args[2] if len(case.args) > 2 and not case.args[2].startswith("-") else None
    if word is None:
        return None
    if word.startswith("@"):
        word = pathlib.Path(word[1:]).read_text(encoding="utf-8")
    if word.startswith("random:"):  # the program says which letters it drew
        return [v for _, v in sorted((int(p.split(".")[1]), v) for p, v in case.stated.items()
                                     if re.fullmatch(r"prefixes\.\d+\.letter", p))] or None
    return word.split()


def att(text):
    """(moves, final states, start) of an automaton in AT&T format: the start is the first line's source."""
    moves, final, start = {}, set(), None
    for line in text.splitlines():
        parts = line.split()
        if len(parts) == 1:
            final.add(int(parts[0]))
        elif parts:
            start = int(parts[0]) if start is None else start
            moves[int(parts[0]), parts[2]] = int(parts[1])
    return moves, final, start


def machine(case):
    """(state, step(state, letter) -> state, output(state) -> figure, accept(state) or None)."""
    name = case.args[1]
    if SYSTEM.fullmatch(name):
        known, points = permutations(name)
        return group_machine(known, points)
    path = pathlib.Path(name)
    if path.suffix == ".att":
        moves, final, start = att(path.read_text(encoding="utf-8"))
        return start, lambda s, x: moves[s, x], lambda s: s, lambda s: s in final
    doc = case.document()
    if doc is None:
        raise Skip("no document")
    if "dfa" in doc:
        d = doc["dfa"]
        return d["start"], lambda s, x: d["transitions"][x][s], lambda s: s, lambda s: s in d["accept"]
    if "wfa" in doc:
        return weighted(doc["wfa"])
    if "table" in doc.get("group", {}):  # an element is the permutation x -> a x
        table = doc["group"]["table"]
        names = doc["group"].get("names") or [f"g{i}" for i in range(len(table))]
        return group_machine(dict(zip(names, map(tuple, table))), len(table))
    if "group" in doc and "generators" in doc["group"]:
        gens = doc["group"]["generators"]
        points = max(int(x) for g in gens.values() for x in re.findall(r"\d+", g))
        return group_machine({k: trackers.from_cycles(g, points) for k, g in gens.items()}, points)
    raise Skip("other documents")


def group_machine(known, points):
    def step(s, x):
        return trackers.compose(element(x, known, points), s)
    return tuple(range(points)), step, trackers.cycles_text, None


def weighted(w):
    mats = {x: [[Fraction(c) for c in row] for row in M] for x, M in w["matrices"].items()}
    final = [Fraction(c) for c in w["final"]]
    def step(s, x):
        return tuple(sum(a * b for a, b in zip(row, s)) for row in mats[x])
    def output(s):
        return str(sum(a * b for a, b in zip(final, s)))
    return tuple(Fraction(c) for c in w["initial"]), step, output, None


def fractions(rows):
    try:
        return [[Fraction(x) for x in row] for row in rows]
    except ValueError:
        raise Skip("runs over other fields") from None


def maps(doc):
    """(initial state, letter -> (A, B)) of a document of affine maps, of one matrix or of one step; None of others."""
    if "affine" in doc:
        initial = fractions(doc["affine"]["initial"])
        zero = [["0"] * len(initial[0])] * len(initial)
        return initial, {name: (fractions(x["matrix"]), fractions(x.get("offset", zero)))
                         for name, x in doc["affine"]["letters"].items()}
    if "matrix" in doc:
        A = fractions(doc["matrix"])
    elif doc.get("family") == "ckda":
        (key, gate), ((beta,),) = fractions([doc["key"], doc["gate"]]), fractions([[doc["beta"]]])
        square = sum(k * k for k in key)
        A = [[((i == j) - beta * a * b / square) * gate[j] for j, b in enumerate(key)] for i, a in enumerate(key)]
    else:
        return None
    n = len(A)
    return [[Fraction(i == j) for j in range(n)] for i in range(n)], {"a": (A, [[Fraction(0)] * n] * n)}


def run_maps(case, state, letters):
    """The exact state after each letter is both what is said and what is expected."""
    found = {"all_equal": True}
    for t, x in enumerate(letters_in(case) or []):
        A, B = letters[x]
        state = [[sum(a * b for a, b in zip(row, col)) + B[i][j] for j, col in enumerate(zip(*state))]
                 for i, row in enumerate(A)]
        for what in ("output", "expected", "state"):
            found.update({f"prefixes.{t}.{what}.{i}.{j}": str(v) for i, row in enumerate(state) for j, v in enumerate(row)})
    return found


def run(case):
    doc = None if SYSTEM.fullmatch(case.args[1]) else case.document()
    linear = maps(doc) if isinstance(doc, dict) else None
    if linear:
        return run_maps(case, *linear)
    state, step, output, accept = machine(case)
    letters, found = letters_in(case), {}
    broken = case.has("--block") or case.code == 1  # what the layers give is not what the machine gives
    for t, x in enumerate(letters or []):
        state = step(state, x)
        found[f"prefixes.{t}.expected"] = output(state)
        if not broken:
            found[f"prefixes.{t}.output"] = output(state)
            if accept:
                found[f"prefixes.{t}.accepted"] = accept(state)
    if not broken and case.code in (0, None):
        found["all_equal"] = True
    if case.has("--close") and not broken:
        found.update(joint_states(case))
    if case.has("--states") and SYSTEM.fullmatch(case.args[1]):
        found.update((yield from states(case, letters)))
    return found


def joint_states(case):
    """Clock of period 2m, buffer of the last 2m letters, accumulator: for a group the accumulator is, given the
    others, as good as the product of all whole blocks but the last; counted by walking through all of them."""
    if case.option("-c", "--construction") != "three-layer" or not SYSTEM.fullmatch(case.args[1]):
        return {}
    m = int(case.args[1][1:])
    block = case.stated.get("block", 2)
    elements = symmetric(m) if case.args[1][0] == "S" else None
    if elements is None or len(elements) > 6:
        return {}
    limit = int(case.option("--max-states", default="1000000"))
    todo = [(0, (), tuple(range(m)))]
    seen = set(todo)
    for t, buffer, done in todo:
        for g in elements:
            following = advance(t, buffer, done, g, block)
            if following not in seen:
                seen.add(following)
                todo.append(following)
        if len(seen) > limit:
            return {"closure.verdict": "undecided", "exit": 3}
    return {"closure.states": len(seen), "closure.edges": len(seen) * len(elements), "closure.verdict": "all lengths",
            "exit": 0}


def advance(t, buffer, done, g, block):
    """Letters older than 2m leave the buffer; at the start of a block the one before the last is folded in."""
    if t % block == 0 and len(buffer) >= 2 * block:
        for h in buffer[:block]:
            done = trackers.compose(h, done)
    buffer = (buffer + (g,))[-2 * block:]
    return (t + 1) % (2 * block), buffer, done


def symmetric(m):
    return [tuple(p) for p in itertools.permutations(range(m))]


def states(case, letters):
    """The matrix of the state after each letter, by GAP."""
    way = case.option("-c", "--construction", default="householder")
    name = case.args[1]
    if way not in ("quaternion", "householder"):
        return {}
    words = ",".join(letters)
    got = yield "gap", f"States(ID, \"{name}\", \"{way}\", [{words}]);"
    return {k: v for k, v in got.items() if k.startswith("prefixes.")}


def compile_net(case):
    """Of a compiled network its letters and its source are compared here; networks.py runs the layers."""
    if case.code != 0:
        raise Skip("networks that do not exist")
    if SYSTEM.fullmatch(case.args[1]):
        raise Skip("a compiled network: see networks")
    doc = case.document()["dfa"]
    found = {f"letters.{i}": x for i, x in enumerate(doc["transitions"])}
    found.update({"source.dfa.states": doc["states"], "source.dfa.start": doc["start"], "exit": 0})
    for x, row in doc["transitions"].items():
        found.update({f"source.dfa.transitions.{x}.{i}": s for i, s in enumerate(row)})
    found.update({f"source.dfa.accept.{i}": s for i, s in enumerate(doc["accept"])})
    return found
