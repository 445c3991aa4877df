"""Which golden case is recomputed by what: command -> oracle, and why a case is not."""
import audits
import by_gap
import by_pari
import claims
import ranges
import small_groups
import words
from by_pari import Skip

ORACLES = {
    "spectrum": by_pari.spectrum,
    "decompose": by_pari.decompose,
    "factor": by_pari.factor,
    "sweep": by_pari.sweep,
    "reach": by_gap.reach,
    "construct": by_gap.construct,
    "reduce": by_gap.reduce,
    "audit": audits.audit,
    "range": ranges.range_of,
    "run": words.run,
    "verify": claims.verify,
    "compile": words.compile_net,
}

# file in docs/examples, where its part begins and ends, the command that printed it
EXAMPLES = [
    ("audit.out", "tracks forever", "fails:", "audit Z5 --grid 22 --keys fp32 --all-words"),
    ("audit.out", "fails:", None, "audit Z5 --grid 5 --keys fp32 --all-words"),
    ("automaton.out", "odd.att, three", "\n\n", "run odd.att 'a a a c a'"),
    ("automaton.out", "closed: 103", None, "run odd.att --close"),
    ("budget.out", "chunk16.json:", "chunk64.json:", "range chunk16.json"),
    ("budget.out", "chunk64.json:", None, "range chunk64.json"),
    ("certificate.out", "c D4", "exit", "reach D4"),
    ("construction.out", "reflections.json", "turn.json", "reach reflections.json"),
    ("construction.out", "turn.json", "ckda:", "reach turn.json"),
    ("enumerate.out", "S4 by", None, "reach S4"),
    ("reach.out", "quaternion", None, "reach A5"),
]


def classify(case):
    """Why nothing is asked about a case."""
    if case.code == 2:
        return "wrong usage"
    if case.code == 4:
        return "refused input, unwritable output"
    if case.code == 5 or case.command in ("list", "explain", "report"):
        return "texts of the ledger, report pages"
    if not case.command or case.command.startswith("-") or "--help" in case.args:
        return "help and version"
    return None


def oracle_of(case, slow):
    if isinstance(case, small_groups.Group):
        return small_groups.oracle(case)
    reason = classify(case)
    if reason:
        raise Skip(reason)
    if case.command not in ORACLES:
        raise Skip(f"no oracle for {case.command}")
    if case.command in ("audit", "range", "verify"):
        return ORACLES[case.command](case, slow)
    return ORACLES[case.command](case)


def has_document(case):
    return case.code in (0, 1, 3, None) and case.command in ORACLES and case.command != "verify" and not classify(case)
