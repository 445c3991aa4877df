"""Trees, numbers, polynomials, certificates and points as texts of Coq."""
from fractions import Fraction

import roots
from certify import poly_node


def rational(q):
    q = Fraction(q)
    text = str(q.numerator) if q.denominator == 1 else f"{q.numerator} # {q.denominator}"
    return f"({text})" if q < 0 or q.denominator != 1 else text


def names_of(theory):
    return [f"x_{v}" for v in theory.variables]


def show(node, names, tight=False):
    """A tree in Coq."""
    kind, args = node.kind, node.args
    sub = lambda i: show(node.kids[i], names, True)
    infix = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/"}.get(kind)
    if kind == "Var":
        return names[args[0]] if args[0] < len(names) else f"(Var {args[0]})"
    if kind == "Def":
        return f"d_{node.name}"
    if kind == "Num":
        text = f"Num {rational(args[0])}"
    elif kind == "Const":
        text = f"Const {rational(args[0])} {args[1]} {args[2]}"
    elif infix:
        text = f"{sub(0)} {infix} {sub(1)}"
    elif kind == "Subst":
        text = f"Subst {sub(0)} {args[0]} {sub(1)}"
    else:
        text = " ".join([kind, *(sub(i) for i in range(len(node.kids))), *map(str, args)])
    return f"({text})" if tight else text


def listed(items):
    return "[" + "; ".join(items) + "]"


def show_poly(p, context, names):
    return show(poly_node(p, context.by), names, True)


def show_sign(cert, names):
    kind, rest = cert[0], cert[1:]
    if kind == "num":
        return f"(SNum {rational(rest[0])})"
    if kind == "hyp":
        return f"(SHyp {rest[0]})"
    if kind == "square":
        return f"(SSquare {show(rest[0], names, True)})"
    if kind == "square_hyp":
        return f"(SSquareHyp {rest[0]})"
    return "(S" + kind.capitalize() + " " + " ".join(show_sign(c, names) for c in rest) + ")"


def comment(text):
    return text.replace('"', "'").replace("(*", "( *").replace("*)", "* )")


# ---- points ----

def show_numbers(numbers):
    return listed(map(rational, numbers))


def show_root(field):
    inverses = listed(f"({show_numbers(x)}, {show_numbers(y)})" for x, y in field.inverses.items())
    return f"(Root {show_numbers(field.tail)} {rational(field.low)} {rational(field.high)} {inverses})"


def show_point(p, n):
    """The coordinates of a point; after the root that they lie over, if one is irrational."""
    field = roots.field_of(p)
    coordinates = [p.get(i, Fraction(0)) for i in range(n)]
    if field is None:
        return show_numbers(coordinates)
    return f"{show_root(field)} {listed(show_numbers(field.number(x).c) for x in coordinates)}"
