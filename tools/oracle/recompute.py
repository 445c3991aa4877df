"""From cases to what the oracles make of them, and the comparison with what the cases state."""
import collections

import numbers_text
import system
import table
from cases import Skip

# What an oracle raises at a document or an answer that is not as it expects.
FAULTS = (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError)
NAMES = {"gp": "PARI", "gap": "GAP"}
SYSTEMS = ("PARI", "GAP", "Python")


class Outcome:
    """What came of a list of cases.

    answers: case -> {path: value}; by: case -> one of SYSTEMS; reasons: case -> why it was not recomputed;
    complaints: texts, each of which is a failure; faulty: the cases that some of them are about.
    """

    def __init__(self):
        self.answers, self.by, self.reasons, self.complaints, self.faulty = {}, {}, {}, [], set()

    def answered(self, case, answer, by):
        self.answers[case] = answer
        self.by.setdefault(case, by)

    def complain(self, case, what):
        self.complaints.append(f"{case.source}: {case.name}: {what}")
        self.faulty.add(case)
        self.answered(case, {}, "Python")


def begin(outcome, case, slow):
    """(case, oracle, its first question), or None when nothing is asked."""
    try:
        work = table.oracle_of(case, slow)
        if not isinstance(work, dict):
            return case, work, next(work)
        outcome.answered(case, work, "Python")
    except StopIteration as done:
        outcome.answered(case, done.value, "Python")
    except Skip as skip:
        outcome.reasons[case] = str(skip)
    except FAULTS as fault:
        outcome.complain(case, f"no question that fits ({fault!r})")
    return None


def proceed(outcome, case, work, answer):
    """(case, oracle, its next question), or None when it is done."""
    try:
        return case, work, work.send(dict(answer))
    except StopIteration as done:
        outcome.answered(case, done.value, "Python")
    except FAULTS as fault:
        outcome.complain(case, f"no answer that fits ({fault!r}): {answer}")
    return None


def recompute(cases, slow):
    """Runs all oracles, the questions of a round together in one run of each system."""
    outcome = Outcome()
    running = [step for step in (begin(outcome, case, slow) for case in cases) if step]
    while running:
        asked = {question: number for number, (_, _, question) in enumerate(running)}  # each question once
        found = {}
        for name in NAMES:
            answers, complaints = system.ask(name, {asked[q]: q[1] for q in asked if q[0] == name})
            found.update(answers)
            outcome.complaints += complaints
        following = []
        for case, work, question in running:
            outcome.by[case] = NAMES[question[0]]
            following.append(proceed(outcome, case, work, found[asked[question]]))
        running = [step for step in following if step]
    return outcome


Comparison = collections.namedtuple("Comparison", ["agree", "wrong"])


def compare(case, answer):
    """agree: paths; wrong: (path, stated, recomputed)."""
    stated = dict(case.stated)
    if case.code is not None:
        stated["exit"] = case.code
    result = Comparison([], [])
    for path, value in stated.items():
        if path not in answer:
            continue
        if numbers_text.same(value, answer[path]):
            result.agree.append(path)
        else:
            result.wrong.append((path, value, answer[path]))
    return result
