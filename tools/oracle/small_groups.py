"""`ckda construct` on every group of small order, beside GAP's own answer to the same questions."""
import json
import pathlib
import subprocess

import cases
import system
from by_gap import layers


class Group(cases.Case):
    """SmallGroup(order, number) as a document of permutations."""

    def __init__(self, order, number, file):
        super().__init__("groups", f"SmallGroup({order}, {number})", ["construct", str(file)], None)
        self.order, self.number = order, number


def documents(top, folder):
    """Writes a document for every group of order at most top; returns their cases, and complaints."""
    questions = {n: f"GroupsOfOrder(ID, {n});" for n in range(2, top + 1)}
    answers, complaints = system.ask("gap", questions)
    found = []
    for order, groups in answers.items():
        for path, generators in groups.items():
            number = int(path.split(".")[1])
            file = pathlib.Path(folder) / f"group-{order}-{number}.json"
            named = {f"g{i}": g for i, g in enumerate(json.loads(generators))}
            file.write_text(json.dumps({"group": {"generators": named}}), encoding="utf-8")
            found.append(Group(order, number, file))
    return found, complaints


def state(program, group):
    """Notes what the program says; the limit is what a tracker of A5 needs."""
    done = subprocess.run([program, "construct", group.args[1], "--json", "--max-states", "7200"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    found = cases.flatten(json.loads(done.stdout))
    kept = ("order", "one_layer.verdict", "one_layer.method", "series.exists")
    group.stated = {k: v for k, v in found.items() if k in kept or k.startswith("series.layers")}
    group.stated["so3.group"] = found.get("so3.group")  # not there: no group of rotations
    group.stated["series.count"] = sum(k.endswith(".factor") for k in found if k.startswith("series.layers."))


def oracle(group):
    got = yield "gap", f"SmallConstruct(ID, {group.order}, {group.number});"
    out = layers(group, got)
    out["so3.group"] = got.get("so3.group")
    if out["so3.group"]:
        out["series.count"] = 0
    return out
