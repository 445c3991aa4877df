"""Points that satisfy the hypotheses of a theory, and counterexamples of mutants."""
import math
import random
from fractions import Fraction

import algebra
import roots
import texts
from algebra import Evaluator, Fractions, Numbers, Order

POOL = [Fraction(a, b) for a, b in [(0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2), (3, 1),
                                    (-3, 1), (1, 3), (2, 3), (3, 2), (1, 4), (3, 4), (-3, 4), (5, 2),
                                    (3, 5), (4, 5), (-3, 5), (7, 3), (9, 10), (1, 10), (5, 1), (7, 1)]]


def variables_of(node, found=None):
    found = set() if found is None else found
    if node.kind == "Var":
        found.add(node.args[0])
    for k in node.kids:
        variables_of(k, found)
    if node.target is not None:
        variables_of(node.target, found)
    return found


def partial(p, point):
    """The polynomial with the known variables replaced."""
    r = {}
    for m, c in p.items():
        rest = []
        for v, e in m:
            if v in point:
                c *= point[v] ** e
            else:
                rest.append((v, e))
        rest = tuple(rest)
        r[rest] = r.get(rest, 0) + c
    return {m: c for m, c in r.items() if c}


def unknown(p):
    return {v for m in p for v, _ in m}


def univariate(p, x):
    """The value at x of a polynomial in one variable."""
    return sum((c * x ** (m[0][1] if m else 0) for m, c in p.items()), Fraction(0))


def root_of(q):
    """The rational square root, or None."""
    if q < 0:
        return None
    a, b = math.isqrt(q.numerator), math.isqrt(q.denominator)
    return Fraction(a, b) if a * a == q.numerator and b * b == q.denominator else None


def rational_roots(p, v):
    """The rational roots in v up to degree 2; beyond, those in the pool."""
    c = {dict(m).get(v, 0): x for m, x in p.items()}
    n = max(c)
    if n == 1:
        return [-c.get(0, Fraction(0)) / c[1]]
    if n == 2:
        a, b, d = c[2], c.get(1, Fraction(0)), c.get(0, Fraction(0))
        s = root_of(b * b - 4 * a * d)
        return [] if s is None else sorted({(-b + s) / (2 * a), (-b - s) / (2 * a)})
    return [x for x in POOL if sum(y * x ** e for e, y in c.items()) == 0]


class Sampler:
    """Draws points: samples of the theory first, roots of the relations, then numbers of a pool that the assumptions allow.

    irrational: one coordinate may be a root that is not rational; others may depend on it.
    """

    def __init__(self, context, seed, irrational=False):
        self.context, self.theory, self.irrational = context, context.theory, irrational
        self.random = random.Random(seed)
        self.sample_needs = {v: variables_of(e) for v, e in self.theory.sample.items()}
        self.facts = [(order, p) for _, order, p in context.facts]
        self.about = {}  # facts by variable
        self.pool = {v: list(POOL) for v in range(len(self.theory.variables))}
        for order, p in self.facts:
            for v in unknown(p):
                self.about.setdefault(v, []).append((order, p))
            if len(unknown(p)) == 1 and max(e for m in p for _, e in m) == 1:
                bound = rational_roots(p, next(iter(unknown(p))))[0]
                self.pool[next(iter(unknown(p)))] += [bound, bound + Fraction(1, 10), bound - Fraction(1, 10)]

    def points(self, tries):
        seen, idle = set(), 0
        for _ in range(tries if self.theory.variables else 1):
            p = self.draw()
            key = None if p is None else tuple(sorted(p.items()))
            if p is None or key in seen or not self.admissible(p):
                idle += 1
                if idle > 300:
                    return
                continue
            idle = 0
            seen.add(key)
            yield p

    def admissible(self, p):
        at = Evaluator(Numbers, p)
        try:
            if any(at(a) != at(b) for a, b in self.theory.relations):
                return False
            for order, a, b in self.theory.assume:
                if not holds(order, at.scalar(a) - at.scalar(b)):
                    return False
        except ZeroDivisionError:
            return False
        return True

    def draw(self):
        point = {texts.PARAMETERS + i: self.random.choice(POOL) for i in range(len(self.theory.parameters))}
        relations = [p for p in self.context.relations if p]
        todo = list(range(len(self.theory.variables)))
        try:
            while todo:
                v = next((v for v in todo if v in self.theory.sample
                          and self.sample_needs[v] <= point.keys()), None)
                if v is not None:
                    point[v] = Evaluator(Numbers, dict(point)).scalar(self.theory.sample[v])
                elif not self.choose(point, [v for v in todo if v not in self.theory.sample], relations):
                    return None
                todo = [v for v in todo if v not in point]
        except (ZeroDivisionError, OverflowError):
            return None
        return {v: x for v, x in point.items() if v < texts.PARAMETERS}

    def choose(self, point, todo, relations):
        """Gives one variable (or those of a sphere) a value; False when there is none."""
        left = [q for q in (partial(p, point) for p in relations) if q]
        for q in left:
            free = unknown(q)
            if len(free) == 1 and free <= set(todo):
                v = free.pop()
                found = self.choices(q, v, point)
                if not found:
                    return False
                point[v] = self.random.choice(found)
                return True
        for q in left:
            if unknown(q) <= set(todo) and self.sphere(q, point):
                return True
        if not todo:
            return False
        v = todo[0]
        facts = [(o, partial(p, point)) for o, p in self.about.get(v, [])]
        facts = [(o, p) for o, p in facts if unknown(p) <= {v}]
        allowed = [x for x in self.pool[v] if all(holds(o, univariate(p, x)) for o, p in facts)]
        if not allowed:
            return False
        point[v] = self.random.choice(allowed)
        return True

    def choices(self, q, v, point):
        if roots.field_of(point):
            return roots.linear_root(q, v)
        found = rational_roots(q, v)
        return found if found or not self.irrational else roots.irrational_root(q, v)

    def sphere(self, q, point):
        squares = [m for m in q if m]
        if any(len(m) != 1 or m[0][1] != 2 or q[m] != q[squares[0]] for m in squares):
            return False
        r = root_of(-algebra.value(q) / q[squares[0]])
        if r is None:
            return False
        names = [m[0][0] for m in squares]
        self.random.shuffle(names)
        t = [self.random.choice(POOL) for _ in names[1:]]
        n = sum(x * x for x in t)
        for v, x in zip(names, [(1 - n) / (1 + n), *(2 * x / (1 + n) for x in t)]):
            point[v] = r * x
        return True


def holds(order, x):
    return x > 0 if order == "Gt" else x >= 0 if order == "Ge" else x != 0


def wrong_at(statement, point):
    """Is the statement (eq or cmp) false at the point?  None when it is not defined there."""
    at = Evaluator(Numbers, point)
    try:
        if statement[0] == "eq":
            return at(statement[1]) != at(statement[2])
        return not holds(statement[1], at.scalar(statement[2]) - at.scalar(statement[3]))
    except ZeroDivisionError:
        return None


# ---- no quotient ----

def polynomial_in(node, x, point):
    """exponent -> coefficient of the node in the variable x, the others as in the point; None if it is no polynomial."""
    by = Order(max([x, *point]) + 1)
    start = {v: (algebra.constant(q), ()) for v, q in point.items()}
    start[x] = (algebra.var(x), ())
    p, e = Evaluator(Fractions(by), start).scalar(node)
    return None if e else {dict(m).get(x, 0): c for m, c in p.items()}


def no_quotient(f, g, x, point, n):
    """Points on the line and weights that show that g is not f times n coefficients, or None."""
    try:
        pf, pg = polynomial_in(f, x, point), polynomial_in(g, x, point)
    except ZeroDivisionError:
        return None
    if not pf or pg is None:
        return None
    count = max(max(pg, default=0), n + max(pf)) + 1
    xs = [Fraction(i) for i in range(count)]
    value = lambda p, t: sum(c * t ** e for e, c in p.items())
    rows = [[value(pf, t) * t ** j for t in xs] for j in range(n)]
    for w in kernel(rows, count):
        if sum(a * value(pg, t) for a, t in zip(w, xs)) != 0:
            return list(zip(xs, w))
    return None


def kernel(rows, n):
    """A basis of the vectors of length n that all rows are orthogonal to."""
    rows, pivots = [list(r) for r in rows], []
    for j in range(n):
        k = next((i for i in range(len(pivots), len(rows)) if rows[i][j] != 0), None)
        if k is None:
            continue
        i = len(pivots)
        rows[i], rows[k] = rows[k], rows[i]
        rows[i] = [a / rows[i][j] for a in rows[i]]
        for m in range(len(rows)):
            if m != i and rows[m][j] != 0:
                rows[m] = [a - rows[m][j] * b for a, b in zip(rows[m], rows[i])]
        pivots.append(j)
    for j in range(n):
        if j not in pivots:
            w = [Fraction(0)] * n
            w[j] = Fraction(1)
            for i, p in enumerate(pivots):
                w[p] = -rows[i][j]
            yield w
