"""Exact numbers as text: ours ("13/10-29/50*a", "2*cos(pi/7)") for PARI, for GAP and for Python."""
import re
from fractions import Fraction

ATOM = re.compile(r"(sqrt|cos|sin)\(([^()]*)\)|root\(([^(),]*),([^()]*)\)")


class Atoms:
    """The roots in a document, numbered; to_gp turns its numbers into expressions of z[1], z[2]..."""

    def __init__(self, field=None):
        self.gp = []
        if isinstance(field, dict):
            name, number = next(iter(field.items()))
            self.to_gp(f"sqrt({number})" if name == "sqrt" else f"2*cos(2*pi/{number})")
        self.generator = "z[1]" if isinstance(field, dict) and "sqrt" in field else "(2*z[1])"

    def _number(self, match):
        name, inner, poly, hint = match.groups()
        if name is None:
            atom = f"atom_root({poly}, {hint})"
        elif name == "sqrt":
            atom = f"atom_sqrt({inner})"
        else:
            atom = f"atom_cos({angle(inner)})" if name == "cos" else f"atom_cos(1/2-({angle(inner)}))"
        if atom not in self.gp:
            self.gp.append(atom)
        return f"z[{self.gp.index(atom) + 1}]"

    def to_gp(self, number):
        text = re.sub(r"\ba\b", "GEN", str(number))
        text = ATOM.sub(self._number, text).replace("GEN", self.generator)
        return text.replace("sqrt(", "sqrt_within(")  # what is left has numbers of the field in it

    def rows(self, matrix):
        return "[" + ", ".join(self.vector(row) for row in matrix) + "]"

    def vector(self, numbers):
        return "[" + ", ".join(self.to_gp(x) for x in numbers) + "]"

    def fields(self):
        return "[" + ", ".join(self.gp) + "]"


def angle(text):
    """2*pi/5 as a multiple of pi."""
    return text.replace("pi", "1")


def to_gap(number, generator=None):
    """A cyclotomic number; pi only within cos and sin."""
    def one(match):
        name, inner, poly, hint = match.groups()
        if name is None:
            return f"RootNear(\"{poly}\",{hint})"
        if name == "sqrt":
            return f"Sqrt({inner})"
        return f"{name.capitalize()}Pi({angle(inner)})"
    text = re.sub(r"\ba\b", "GEN", str(number))
    return ATOM.sub(one, text).replace("GEN", f"({generator})")


def gap_matrix(matrix, generator=None):
    return "[" + ",".join("[" + ",".join(to_gap(x, generator) for x in row) + "]" for row in matrix) + "]"


TERM = re.compile(r"([+-]?)(\d+(?:/\d+)?)?\*?(a(?:\^(\d+))?)?")


def coefficients(text):
    """"13/10-29/50*a" -> (13/10, -29/50); None if the text is no such number."""
    if isinstance(text, int) and not isinstance(text, bool):
        return (Fraction(text),) if text else ()
    if not isinstance(text, str):
        return None
    found, at = {}, 0
    text = text.replace(" ", "")
    while at < len(text):
        match = TERM.match(text, at)
        if match.end() == at or not (match[2] or match[3]):
            return None
        power = int(match[4] or 1) if match[3] else 0
        found[power] = found.get(power, 0) + Fraction(match[2] or 1) * (-1 if match[1] == "-" else 1)
        at = match.end()
    top = max((p for p, c in found.items() if c), default=-1)
    return tuple(found.get(p, Fraction(0)) for p in range(top + 1)) if text else None


def same(stated, answer):
    """Is the stated figure the recomputed one?  Bounds of a golden case are a tuple."""
    if isinstance(stated, tuple):
        return isinstance(answer, (int, float)) and stated[0] <= answer <= stated[1]
    if isinstance(answer, bool) or isinstance(stated, bool) or stated is None or answer is None:
        return type(stated) is type(answer) and stated == answer
    if isinstance(answer, float):  # the program prints six digits
        return abs(float(stated) - answer) <= 2e-5 * abs(answer) + 1e-12
    left, right = coefficients(stated), coefficients(answer)
    return left == right if left is not None and right is not None else stated == answer
