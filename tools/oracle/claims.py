"""Figures that verdicts of the ledger rest on, where a golden case shows one or its name states it."""
from cases import Skip

QUERIES = {  # mutant: system, construction, query, which figure it shows
    "B-12/separation": ("A5", "quaternion", "[1,2,2,4]/5", "near"),
    "B-12/separation2": ("A5", "quaternion", "[1,2,4,10]/11", "near"),
    "B-12/cube": ("S4", "cube", "[1,2,2]/3", "near"),
    "B-12/query": ("A5", "quaternion", "[1,4,4,4]/7", "stabiliser"),
}
# claim: question, what its statement says
STATED = {
    "C-15": ("Certificates(ID, \"S4\");", {"with1": 16, "with2": 4, "with3": 4}),
    "C-16": ("Planes(ID);", {"axes": 16, "planes2": 30, "planes4": 15, "planes3": 0}),
    "C-22.m1": ("Commutators(ID); Powers(ID);", {"order1": 480, "order5": 1200, "order3": 1200, "E5": 6, "E10": 16,
                                                 "E20": 16, "E25": 6, "E30": 36, "E60": 96, "E100": 16, "E120": 96,
                                                 "E300": 96}),
}


def verify(case, slow):
    only = case.option("--only")
    if only in QUERIES and QUERIES[only][0] == "A5" and not slow:
        raise Skip("slow, with --all only")
    if only in QUERIES:
        name, way, query, figure = QUERIES[only]
        got = yield "gap", f"Query(ID, \"{name}\", \"{way}\", {query});"
        return {"mutants.0.counterexample.got": str(got.get(figure)), "mutants.0.refuted": figure in got}
    claim = next((w for w in case.args[1:] if w in STATED), None)
    if claim is None:
        raise Skip("verdicts of the ledger")
    question, want = STATED[claim]
    got = yield "gap", question
    holds = all(got.get(k) == v for k, v in want.items())
    others = len([w for w in case.args[1:] if not w.startswith("-")])
    return {"summary.holds": others if holds else 0, "summary.refuted": 0 if holds else 1}
