"""Which case is recomputed by what, and why a case is not.

An oracle takes a case and returns the figures that it finds, path -> value; one that has to ask is a
generator that yields ("gp" or "gap", program text), is sent what the system printed, and returns the
figures.  It raises Skip where it finds none.
"""
import audits
import by_gap
import by_pari
import claims
import networks
import ranges
import small_groups
import words
from cases import Skip

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
    "run": networks.run,
    "verify": claims.verify,
    "compile": words.compile_net,
}


def classify(case):
    """Why nothing is asked about a case, whatever its command; None if something may be."""
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
    if case.command in ("audit", "range", "verify"):  # these have cases that are left to --all
        return ORACLES[case.command](case, slow)
    return ORACLES[case.command](case)


def has_document(case):
    return case.code in (0, 1, 3, None) and case.command in ORACLES and case.command != "verify" and not classify(case)
