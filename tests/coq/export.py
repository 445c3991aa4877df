#!/usr/bin/env python3
"""Writes the symbolic claims of the ledger as Coq lemmas.

usage: export.py PROOFS OUT [CLAIM...]

PROOFS is the folder of the ledger, OUT receives Claims_*.v (in place of older ones) and export.json
(what was exported, and what was not and why).  Each theory of a claim becomes a module; each statement a lemma named
after the claim; each mutant a lemma that its text is wrong, by a counterexample.
"""
import concurrent.futures
import copy
import json
import pathlib
import re
import sys
import time
from fractions import Fraction

import algebra
import certify
import points
import roots
import texts
from certify import Context
from printing import comment, listed, names_of, rational, show, show_point, show_poly, show_sign
from texts import Node

FILES = 12  # Claims_*.v, which coqc compiles side by side
FIRST_TRIES, TRIES = 40, 3000  # points that are drawn for a counterexample, and for any other purpose
QUOTIENTS = 20  # points at which a quotient is looked for: far more work than a value


class NoProof(Exception):
    """No hint was found; the message is the statement's text."""


# ---- one statement ----

class Hints:
    """The denominators in the order of the lemma (hypotheses first), and the hints of its check."""

    def __init__(self, context, names):
        self.c, self.names = context, names
        signs = [self.denominator_sign(i) for i in range(len(context.f.h))]
        free = [i for i, s in enumerate(signs) if s is None]
        self.derived = [(i, s) for i, s in enumerate(signs) if s is not None]
        self.order = free + [i for i, _ in self.derived]
        self.free = free

    def denominator_sign(self, i):
        """A certificate that the assumptions keep the denominator away from zero, or None."""
        c, h = self.c, self.c.f.h[i]
        try:
            s = c.poly_sign(c.normal(h))
        except algebra.TooLarge:
            return None
        if s is None or not s.strict or divides_in(s.cert):
            return None
        return s

    def exponents(self, e):
        r = [e[i] if i < len(e) else 0 for i in self.order]
        while r and r[-1] == 0:
            r.pop()
        return listed(map(str, r)) + "%nat"

    def rules(self):
        c = self.c
        out = []
        for p, cof in c.basis:
            m = c.by.lead(p)
            p, cof = algebra.scaled(p, 1 / p[m]), [algebra.scaled(q, 1 / p[m]) for q in cof]
            tail = algebra.scaled({k: v for k, v in p.items() if k != m}, -1)
            out.append("(" + ", ".join([show_poly({m: Fraction(1)}, c, self.names),
                                        show_poly(tail, c, self.names),
                                        listed(show_poly(q, c, self.names) for q in cof)]) + ")")
        return listed(out)

    def text(self):
        c = self.c
        known = [f"({show_poly(p, c, self.names)}, ({rational(q)}, {self.exponents(e)}))"
                 for p, q, e in c.f.known]
        extra = listed("2" for _ in c.f.h) + "%nat" if c.basis else "[]"
        return f"(Hints {c.n} {listed(known)} {self.rules()} {extra})"

    def hypotheses(self):
        return listed(show_poly(self.c.f.h[i], self.c, self.names) for i in self.free)

    def steps(self):
        """Removes the denominators that the assumptions take care of, the last one first."""
        lines = []
        for i, s in self.derived:
            flip = "true" if s.sign < 0 else "false"
            bare = f"(Hints {self.c.n} [] {self.rules()} [])"
            lines.append(f"  apply (denominator _ {bare} {flip} {show_poly(self.c.f.h[i], self.c, self.names)} "
                         f"{show_sign(s.cert, self.names)}); [vm_cast_no_check (eq_refl true)|].")
        return lines


def divides_in(cert):
    return cert[0] == "div" or any(divides_in(c) for c in cert[1:] if isinstance(c, tuple))


def certificate_nodes(cert):
    if cert[0] == "square":
        yield cert[1]
    for c in cert[1:]:
        if isinstance(c, tuple):
            yield from certificate_nodes(c)


def lemma(name, note, hints, statement, tactic):
    return [f"(* {comment(note)} *)",
            f"Lemma {name} : valid (T {hints.hypotheses()}) ({statement}).",
            "Proof.", *hints.steps(),
            f"  apply {tactic}; vm_cast_no_check (eq_refl true).",
            "Qed.", ""]


def trees_of(s):
    return [n for n in s[1:] if isinstance(n, Node)]


def equation(theory, s, name, note):
    names = names_of(theory)
    hints = Hints(Context(theory, trees_of(s)), names)
    text = f"Eq {show(s[1], names, True)} {show(s[2], names, True)}"
    return lemma(name, note, hints, text, f"(eq_sound _ {hints.text()})")


def inequality(theory, s, name, note, fresh=0, sign=None):
    """fresh: new variables in s; sign: finds the certificate from the context, in place of context.sign."""
    names = names_of(theory)
    _, order, a, b = s
    zero = b.kind == "Num" and b.args[0] == 0
    if a.kind == "Det" and zero and not theory.variables:
        return determinant(order, a, names, name, note)
    context = Context(theory, trees_of(s), fresh)
    found = sign(context) if sign else context.sign(a if zero else texts.sub(a, b))
    fits = found is not None and (order == "Ge" or found.strict) and (order == "Ne" or found.sign > 0 or
                                                                      found.cert == ("num", 0))
    if not fits:
        raise NoProof(note)
    for node in certificate_nodes(found.cert):
        context.keep.append(node)
        context.divisors(node, context.at)
    hints = Hints(context, names)
    flip = "true" if found.sign < 0 and order == "Ne" else "false"
    text = f"Cmp {order} {show(a, names, True)} {show(b, names, True)}"
    return lemma(name, note, hints, text,
                 f"(sign_sound _ {hints.text()} {order} {flip} _ _ {show_sign(found.cert, names)})")


def determinant(order, a, names, name, note):
    """The sign of a determinant of numbers: Coq has a faster way than Laplace's."""
    matrix = show(a.kids[0], names, True)
    return [f"(* {comment(note)} *)",
            f"Lemma {name} : valid (T []) (Cmp {order} (Det {matrix}) (Num 0)).",
            f"Proof. apply (det_sound _ {order} {matrix}); vm_cast_no_check (eq_refl true). Qed.", ""]


def fresh_column(theory, n):
    start = len(theory.variables)
    return texts.stack([Node("Var", args=[start + i]) for i in range(n)])


def psd_statements(theory, a):
    """M is symmetric; v'*M*v >= 0 for v of new variables."""
    v = fresh_column(theory, a.rows)
    return [("eq", a, texts.trans(a)),
            ("cmp", "Ge", texts.mul(texts.mul(texts.trans(v), a), v), texts.num(0))]


def semidefinite(theory, s, name, note):
    symmetric, positive = psd_statements(theory, s[1])
    v = fresh_column(theory, s[1].rows)

    def sign(context):
        forms = context.gram(s[1])
        if forms is None and s[1].scalar:
            number = context.sign(s[1])
            forms = number and number.sign > 0 and [(number.cert, texts.num(1))]
        if not forms:
            return None
        total = ("num", Fraction(0))
        for cert, w in forms:
            total = ("add", total, ("mul", cert, ("square", texts.mul(texts.trans(w), v))))
        return certify.Sign(1, False, total)

    return (equation(theory, symmetric, name + "_symmetric", note + "   (symmetric)")
            + inequality(theory, positive, name + "_form", note + "   (v'*M*v >= 0)", v.rows, sign))


def divisibility(theory, s, name, note):
    names = names_of(theory)
    context = Context(theory, trees_of(s))
    x = s[3].args[0]
    q = context.quotient(s[1], s[2], x)
    if q is None:
        raise NoProof(note)
    hints = Hints(context, names)
    text = f"Divides {len(q)} {show(s[1], names, True)} {show(s[2], names, True)} {x}"
    return lemma(name, note, hints, text,
                 f"(divides_sound _ {hints.text()} {len(q)} _ _ {x} {listed(show(n, names, True) for n in q)})")


EXPORTERS = {"eq": equation, "cmp": inequality, "psd": semidefinite, "divides": divisibility}


# ---- theories ----

def header(theory):
    lines = [f"Definition x_{v} := Var {i}." for i, v in enumerate(theory.variables)]
    names = names_of(theory)
    for i, (name, text, tree) in enumerate(theory.let):
        lines += [f"(* {comment(name)} = {comment(text)} *)",
                  f"Definition e_{name} := {show(tree, names)}.", f"Definition d_{name} := Def {i}."]
    pair = lambda a, b: f"({show(a, names)}, {show(b, names)})"
    lines += ["Definition T := Theory",
              "  " + listed(f"e_{name}" for name, _, _ in theory.let),
              "  " + listed(pair(a, b) for a, b in theory.relations),
              "  " + listed(f"({o}, {pair(a, b)})" for o, a, b in theory.assume) + ".", ""]
    return lines


def witness(theory, name):
    """The hypotheses hold somewhere; [] when there are none, None when no point was found."""
    if not theory.relations and not theory.assume:
        return []
    for irrational in (False, True):
        for p in points.Sampler(Context(theory, []), 1, irrational).points(TRIES):
            tactic = "inhabited_at_root" if roots.field_of(p) else "inhabited_sound"
            return [f"Lemma {name} : inhabited (T []).",
                    f"Proof. apply ({tactic} _ {show_point(p, len(theory.variables))});"
                    " vm_cast_no_check (eq_refl true). Qed.", ""]
    return None


# ---- mutants ----

def located(document, pointer):
    """The list or object that holds the pointer's last step, and that step."""
    steps = [s.replace("~1", "/").replace("~0", "~") for s in pointer.split("/")[1:]]
    at = document
    for s in steps[:-1]:
        at = at[int(s)] if isinstance(at, list) else at[s]
    return at, int(steps[-1]) if isinstance(at, list) else steps[-1]


def mutated(document, mutant):
    document = copy.deepcopy(document)
    at, key = located(document, mutant["at"])
    if "to" in mutant:
        if isinstance(at, list) and key == len(at):
            at.append(mutant["to"])
        else:
            at[key] = mutant["to"]
    else:
        del at[key]
    return document


def denominators_differ_from_zero(context, p):
    values = [points.partial(h, p) for h in context.f.h]
    return all(algebra.value(v) != 0 for v in values)


def cases_of(theory):
    """(statement, text, number of new variables) of everything the theory claims."""
    for s, text in zip(theory.holds, theory.holds_texts):
        if s[0] == "psd":
            symmetric, form = psd_statements(theory, s[1])
            yield symmetric, text, 0
            yield form, text, s[1].rows
        else:
            yield s, text, 0


def counterexample(theory, name, note, tries, irrational):
    """A lemma that one of the theory's statements is wrong, or None."""
    sampler = points.Sampler(Context(theory, []), 7, irrational)
    cases, quotients = list(cases_of(theory)), 0
    for p in sampler.points(tries):
        for case, text, fresh in cases:
            for i in range(fresh):
                p[len(theory.variables) + i] = sampler.random.choice(points.POOL)
            if case[0] == "divides":
                quotients += 1
                if quotients > QUOTIENTS or roots.field_of(p):
                    continue
            elif not points.wrong_at(case, p):
                continue
            context = Context(theory, trees_of(case), fresh)
            found = refuting(theory, context, case, p) if denominators_differ_from_zero(context, p) else None
            if found:
                n = len(theory.variables) + fresh
                nonzero = listed(show_poly(h, context, names_of(theory)) for h in context.f.h)
                return [f"(* {comment(note)}   {comment(text)} *)",
                        f"Lemma {name} : refuted (T {nonzero}) ({found[0]}).",
                        f"Proof. apply ({found[1].format(point=show_point(p, n))});"
                        " vm_cast_no_check (eq_refl true). Qed.", ""]
    return None


def refuting(theory, context, s, p):
    """(statement, tactic) when the statement is wrong at p."""
    names = names_of(theory)
    if s[0] == "divides":
        f, g, x = s[1], s[2], s[3].args[0]
        degree = lambda t: max((dict(m).get(x, 0) for m in context.at.scalar(t)[0]), default=0)
        n = max(degree(g) - degree(f) + 1, 0)
        w = points.no_quotient(f, g, x, p, n)
        if w is None:
            return None
        pairs = listed(f"({rational(a)}, {rational(b)})" for a, b in w)
        return (f"Divides {n} {show(f, names, True)} {show(g, names, True)} {x}",
                f"no_quotient_sound _ {{point}} {n} _ _ {x} {pairs}")
    shown = " ".join(show(t, names, True) for t in trees_of(s))
    tactic = "wrong_at_root" if roots.field_of(p) else "wrong_sound"
    return (f"Eq {shown}" if s[0] == "eq" else f"Cmp {s[1]} {shown}"), f"{tactic} _ {{point}} _"


def changed_theories(document, changed):
    """The theories of the mutant that the claim does not have."""
    before = {t.texts for t in texts.theories(document)}
    return [t for t in texts.theories(changed) if t.texts not in before]


def not_proved(theory, name, note):
    """Where no rational point exists: the check that proves the claim fails on the first equation that it must."""
    names = names_of(theory)
    for s, text in zip(theory.holds, theory.holds_texts):
        if s[0] == "eq":
            hints = Hints(Context(theory, trees_of(s)), names)
            nonzero = listed(show_poly(h, hints.c, names) for h in hints.c.f.h)
            hints.free, hints.order = list(range(len(hints.c.f.h))), list(range(len(hints.c.f.h)))
            return [f"(* {comment(note)}   {comment(text)} *)",
                    f"Lemma {name} : check_eq (T {nonzero}) {hints.text()} {show(s[1], names, True)} "
                    f"{show(s[2], names, True)} = false.",
                    "Proof. vm_cast_no_check (eq_refl false). Qed.", ""]
    return None


def mutant_lemma(claim, mutant, ident):
    """(lines, name of the lemma, is it a counterexample)"""
    name = f"{ident}_mutant_{re.sub(chr(92) + 'W', '_', mutant['name'])}"
    note = f"mutant {mutant['name']}: {mutant.get('note', '')}"
    candidates = changed_theories(claim["input"], mutated(claim["input"], mutant))
    module = lambda theory, lines: [f"Module {name}.", *header(theory), *lines, f"End {name}.", ""]
    for tries, irrational in ((FIRST_TRIES, False), (TRIES, False), (FIRST_TRIES, True)):
        for theory in candidates:
            try:
                found = counterexample(theory, name, note, tries, irrational)
            except (algebra.TooLarge, ZeroDivisionError):
                continue
            if found:
                return module(theory, found), name, True
    for theory in candidates:
        found = not_proved(theory, name, note)
        if found:
            return module(theory, found), name, False
    return None, name, False


# ---- claims ----

def identifier(claim_id):
    return re.sub(r"\W", "_", claim_id if claim_id[0].isalpha() else "c" + claim_id)


def export_claim(claim):
    """(lines, names of the lemmas, figures)"""
    ident = identifier(claim["id"])
    start = time.monotonic()
    lines = [f"(* ---- {claim['id']}: {comment(claim['statement'])} *)", ""]
    row = {"claim": claim["id"], "theories": 0, "statements": 0, "proved": 0, "scalars": 0, "lemmas": 0,
           "witnesses": 0, "mutants": 0, "all_mutants": len(claim.get("mutants", [])), "left_out": []}
    names = []
    for k, theory in enumerate(texts.theories(claim["input"]), 1):
        module = f"{ident}_t{k}"
        lines += [f"(* {claim['id']}, {theory.where} *)", f"Module {module}.", *header(theory)]
        row["theories"] += 1
        point = witness(theory, f"{module}_inhabited")
        if point is None:
            row["left_out"].append(f"{theory.where}: no rational point satisfies the hypotheses")
        elif point:
            lines += point
            names.append(f"{module}.{module}_inhabited")
            row["witnesses"] += 1
        for i, (s, text) in enumerate(zip(theory.holds, theory.holds_texts), 1):
            name = f"{module}_s{i}"
            row["statements"] += 1
            row["scalars"] += s[1].rows * s[1].cols if s[0] == "eq" else 1
            try:
                new = EXPORTERS[s[0]](theory, s, name, text)
            except (NoProof, algebra.TooLarge, ZeroDivisionError) as e:
                row["left_out"].append(f"{theory.where}, statement {i}: {type(e).__name__}: {text}")
                continue
            found = [re.match(r"Lemma (\w+)", x).group(1) for x in new if x.startswith("Lemma ")]
            row["proved"] += 1
            row["lemmas"] += len(found)
            names += [f"{module}.{n}" for n in found]
            lines += new
        lines += [f"End {module}.", ""]
    for mutant in claim.get("mutants", []):
        new, name, point = mutant_lemma(claim, mutant, ident)
        row["mutants"] += point
        if not point:
            how = "; Coq checks that the same proof fails" if new else ""
            row["left_out"].append(f"mutant {mutant['name']}: no rational counterexample{how}")
        if new:
            names.append(f"{name}.{name}")
            lines += new
    row["seconds"] = round(time.monotonic() - start, 2)
    return lines, names, row


def joins(claim, everything):
    """What a claim that is no identity is made of."""
    cores = [everything[core["claim"]] for core in claim["input"].get("cores", [])]
    lemmas = [core["id"] for core in cores if core["strength"] == "symbolic" and core["check"] == "identity"]
    rest = [f"{core['id']} ({core['strength']})" for core in cores if core["id"] not in lemmas]
    return f"the check {claim['check']} is no identity; it joins lemmas, {', '.join(lemmas)}, with {', '.join(rest)}"


PREAMBLE = """(* Written by export.py from the ledger. *)
From Coq Require Import List QArith.
From Ckda Require Import Language Fractions Check Signs Points Roots Determinants.
Import ListNotations.
Local Open Scope lang_scope.
"""


def write_files(out, folder):
    """Spreads the claims over files of about the same length."""
    for old in folder.glob("Claims_*.v"):
        old.unlink()
    bins = [[0, [], []] for _ in range(min(FILES, max(1, len(out))))]
    for lines, names in sorted(out, key=lambda x: -sum(map(len, x[0]))):
        b = min(bins, key=lambda b: b[0])
        b[0] += sum(map(len, lines))
        b[1] += lines
        b[2] += names
    for i, (_, lines, names) in enumerate(bins):
        everything = "".join(f" pose proof {n}." for n in names)
        text = PREAMBLE + "\n".join(lines) + f"\nLemma all : True.\nProof.{everything} exact I. Qed.\nPrint Assumptions all.\n"
        (folder / f"Claims_{i + 1}.v").write_text(text, encoding="utf-8")


def main():
    proofs, folder, only = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), set(sys.argv[3:])
    folder.mkdir(parents=True, exist_ok=True)
    everything = {claim["id"]: claim for path in sorted(proofs.glob("*.json"))
                  for claim in json.loads(path.read_text(encoding="utf-8"))["claims"]}
    chosen = [claim for claim in everything.values()
              if claim.get("strength") == "symbolic" and (not only or claim["id"] in only)]
    claims = [claim for claim in chosen if claim["check"] == "identity"]
    others = [claim for claim in chosen if claim["check"] != "identity"]
    unknown = only - {claim["id"] for claim in claims + others}
    if unknown:
        sys.exit(f"no symbolic claim is called {', '.join(sorted(unknown))}")
    with concurrent.futures.ProcessPoolExecutor() as pool:
        out = list(pool.map(export_claim, claims))
    write_files([(lines, names) for lines, names, _ in out], folder)
    no_identities = [{"claim": c["id"], "left_out": [joins(c, everything)]} for c in others]
    (folder / "export.json").write_text(
        json.dumps({"claims": [row for _, _, row in out], "no_identities": no_identities}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
