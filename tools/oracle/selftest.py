"""Could the comparison fail?  Every kind of figure is changed in some case, and must be refused."""
import copy
import re

import audits
import cases
import networks
import table
from recompute import compare, recompute

# Words in the names of cases that take longer than others of their kind.
HEAVY = ("W(E6)", "the limit on", "4398", "grid 7", "grid 8", "neumann", "10368", "close S3", "S6", "A6", "168",
         "S5 in two", "A5 in bf16", "S5 by integer")
LEAST_KINDS = 80  # that a run of this test must have changed; there are more


def kind(case, path):
    """Figures of one kind are computed alike: the command, and the path without its numbers and names of letters."""
    return case.command, re.sub(r"\d+", "#", re.sub(r"\.(letters|transitions)\..*", r".\1", path))


def changed(value):
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, tuple):
        return value[1] + 1, value[1] + 2
    if value is None:
        return 0
    if re.fullmatch(r"[0-9]+\.[0-9.]+", value):
        return str(float(value) + 1)
    if re.fullmatch(r"[-+*/^()0-9a]+", value) and not value.startswith("("):
        return value + "+1"
    return "(6,7)" + value if value.startswith("(") else "x" + value


def picks(all_cases):
    """Two cheap cases for each kind of figure, in case that the first is one that nothing recomputes."""
    chosen = {}
    for case in all_cases:
        if any(word in case.name for word in HEAVY):
            continue
        for path in case.stated:
            chosen.setdefault(kind(case, path), []).append((case, path))
    return {k: v[:2] for k, v in chosen.items()}


def stale(all_cases):
    """Entries of the lists of slow cases that no case has any more."""
    names = [case.name for case in all_cases]
    return sorted(audits.SLOW - set(names)) + [word for word in HEAVY if not any(word in name for name in names)]


def altered_cases(chosen, results):
    """Copies of cases with one agreeing figure changed: copy -> (kind, path)."""
    altered = {}
    for which, pairs in chosen.items():
        for case, path in pairs:
            if case in results and path in results[case].agree:
                other = copy.deepcopy(case)
                other.stated[path] = changed(case.stated[path])
                altered[other] = which, path
                break
    return altered


def exit_codes_not_refused(results, answers):
    """Commands one of whose cases is still agreed with when its exit code is another one."""
    missed = []
    for command in sorted({case.command for case, result in results.items() if "exit" in result.agree}):
        case = next(c for c, result in results.items() if c.command == command and "exit" in result.agree)
        other = copy.copy(case)
        other.code = case.code + 1
        if not any(path == "exit" for path, _, _ in compare(other, answers[case]).wrong):
            missed.append(command)
    return missed


def figures_not_refused(altered):
    """Kinds whose changed figure is agreed with.  A question or an answer that does not fit any more is a refusal too."""
    outcome = recompute(list(altered), False)
    missed = []
    for other, (which, path) in altered.items():
        if not compare(other, outcome.answers.get(other, {})).wrong and other not in outcome.faulty:
            missed.append(f"{' '.join(which)}: {other.name}: {path} = {other.stated[path]!r}")
    return missed


def networks_not_refused():
    """Changed documents of networks whose layers still give the products of a word, and unchanged ones that do not."""
    pairs = networks.altered()
    outcome = recompute([case for _, case in pairs], False)
    right = [case not in outcome.faulty and outcome.answers.get(case, {}).get("all_equal") is True for _, case in pairs]
    return [f"{'NOT REFUSED' if path else 'refused unchanged'}: {case.name}" for (path, case), good in zip(pairs, right)
            if good is not (path is None)], len(pairs)


def main():
    all_cases = [*cases.golden(), *cases.examples()]
    chosen = picks(all_cases)
    needed = list({case: None for pairs in chosen.values() for case, _ in pairs})
    outcome = recompute(needed, False)
    results = {case: compare(case, answer) for case, answer in outcome.answers.items()}
    problems = outcome.complaints + [f"no case is called {name!r}" for name in stale(all_cases)]
    problems += [f"{case.source}: {case.name} disagrees before anything is changed: {result.wrong}"
                 for case, result in results.items() if result.wrong]
    altered = altered_cases(chosen, results)
    commands = {command for (command, _), _ in altered.values()}
    problems += [f"NOT REFUSED exit code of {command}" for command in exit_codes_not_refused(results, outcome.answers)]
    problems += [f"NOT REFUSED {what}" for what in figures_not_refused(altered)]
    problems += [f"no figure of {command} was changed" for command in table.ORACLES if command not in commands]
    found, networks_changed = networks_not_refused()
    problems += found
    if len(altered) < LEAST_KINDS:
        problems.append(f"only {len(altered)} kinds of figures, at least {LEAST_KINDS} are expected")
    print("\n".join(problems))
    print(f"{len(altered)} kinds of figures changed, {networks_changed} networks run, {len(problems)} problems; "
          f"commands: {', '.join(sorted(commands))}")
    return 1 if problems else 0
