"""Polynomials, fractions over chosen denominators, Groebner bases with cofactors, evaluation.

The results are hints for Coq, which checks them; nothing here is trusted.  A polynomial is a dict
from exponents (a tuple of pairs (variable, exponent), by variable) to Fractions.
"""
from fractions import Fraction

ONE = ()


# Bounds on the work for a hint: products of terms, steps and terms of a reduction, elements of a basis.
MOST_PRODUCTS, MOST_STEPS, MOST_TERMS, MOST_ELEMENTS = 3_000_000, 20000, 4000, 120


class TooLarge(Exception):
    """More work than a hint is worth."""


# ---- polynomials ----

def constant(q):
    return {ONE: Fraction(q)} if q else {}


def var(i):
    return {((i, 1),): Fraction(1)}


def plus(p, q, factor=1):
    r = dict(p)
    for m, c in q.items():
        c = r.get(m, 0) + factor * c
        if c:
            r[m] = c
        else:
            del r[m]
    return r


def join(m, n):
    if not m or not n:
        return m or n
    d = dict(m)
    for v, e in n:
        d[v] = d.get(v, 0) + e
    return tuple(sorted(d.items()))


def times(p, q):
    if len(p) * len(q) > MOST_PRODUCTS:
        raise TooLarge
    r = {}
    for m, c in p.items():
        for n, d in q.items():
            k = join(m, n)
            r[k] = r.get(k, 0) + c * d
    return {m: c for m, c in r.items() if c}


def scaled(p, q):
    return {m: c * q for m, c in p.items()} if q else {}


def to_power(p, n):
    r = constant(1)
    for _ in range(n):
        r = times(r, p)
    return r


def is_constant(p):
    return all(m == ONE for m in p)


def value(p):
    return p.get(ONE, Fraction(0))


class Order:
    """Degrevlex for n variables."""

    def __init__(self, n):
        self.n, self.cache = n, {}

    def key(self, m):
        k = self.cache.get(m)
        if k is None:
            d = dict(m)
            k = (sum(d.values()), tuple(-d.get(v, 0) for v in range(self.n - 1, -1, -1)))
            self.cache[m] = k
        return k

    def lead(self, p):
        return max(p, key=self.key)


def quotient(m, n):
    """m / n for monomials, or None."""
    d = dict(m)
    for v, e in n:
        left = d.get(v, 0) - e
        if left < 0:
            return None
        if left:
            d[v] = left
        else:
            del d[v]
    return tuple(sorted(d.items()))


def divide(p, q, by):
    """p / q when it divides exactly, else None."""
    lead, result = by.lead(q), {}
    while p:
        m = by.lead(p)
        t = quotient(m, lead)
        if t is None:
            return None
        c = p[m] / q[lead]
        result[t] = c
        p = plus(p, times({t: c}, q), -1)
    return result


def content(p):
    """The monomial that divides every term."""
    common = None
    for m in p:
        d = dict(m)
        common = d if common is None else {v: min(e, d[v]) for v, e in common.items() if v in d}
    return tuple(sorted((common or {}).items()))


# ---- Groebner bases: each element with its cofactors in the given polynomials ----

def combine(p, f, q, g):
    """f p - g q for (polynomial, cofactors) and terms f, g."""
    parts = [plus(times(f, a), times(g, b), -1) for a, b in zip([p[0], *p[1]], [q[0], *q[1]])]
    return parts[0], parts[1:]


def reduced(p, basis, by, budget):
    """p = (polynomial, cofactors) modulo the basis, every term; budget: [steps left], counted down."""
    done, rest = {}, p
    while rest[0]:
        budget[0] -= 1
        if budget[0] < 0 or len(rest[0]) > MOST_TERMS:
            raise TooLarge
        m = by.lead(rest[0])
        for g in basis:
            t = quotient(m, by.lead(g[0]))
            if t is not None:
                rest = combine(rest, constant(1), g, {t: rest[0][m] / g[0][by.lead(g[0])]})
                break
        else:
            done[m] = rest[0][m]
            rest = {k: c for k, c in rest[0].items() if k != m}, rest[1]
    return done, rest[1]


def groebner(polys, by):
    """Basis with cofactors; the polynomials themselves when it grows too large."""
    start = []
    for i, p in enumerate(polys):
        if p:
            start.append((p, [constant(1) if j == i else {} for j in range(len(polys))]))
    budget = [MOST_STEPS]
    try:
        basis = []
        queue = list(start)
        pairs = []
        while queue or pairs:
            if queue:
                p = queue.pop(0)
            else:
                pairs.sort(key=lambda ij: by.key(lcm(ij, basis, by)), reverse=True)
                i, j = pairs.pop()
                a, b = basis[i], basis[j]
                m, n = by.lead(a[0]), by.lead(b[0])
                if not set(dict(m)) & set(dict(n)):
                    continue
                k = lcm((i, j), basis, by)
                p = combine(a, {quotient(k, m): 1 / a[0][m]}, b, {quotient(k, n): 1 / b[0][n]})
            p = reduced(p, basis, by, budget)
            if p[0]:
                pairs += [(i, len(basis)) for i in range(len(basis))]
                basis.append(p)
                if len(basis) > MOST_ELEMENTS:
                    raise TooLarge
        keep = []
        for i, p in enumerate(basis):
            m = by.lead(p[0])
            if not any(quotient(m, by.lead(q[0])) is not None and (j > i or by.lead(q[0]) != m)
                       for j, q in enumerate(basis) if j != i):
                keep.append(p)
        return keep
    except TooLarge:
        return start


def lcm(ij, basis, by):
    m, n = (dict(by.lead(basis[k][0])) for k in ij)
    return tuple(sorted({v: max(m.get(v, 0), n.get(v, 0)) for v in {*m, *n}}.items()))


def normal_form(p, basis, by):
    return reduced((p, []), [(g, []) for g, _ in basis], by, [MOST_STEPS])[0] if basis else p


# ---- operations on scalars, as in Fractions.v and Points.v ----

class Fractions:
    """(polynomial, exponents of the denominators); register() decides how a divisor is written."""

    def __init__(self, by):
        self.by = by
        self.h = []        # denominators
        self.why = []      # a tree of the divisor that brought it in
        self.known = []    # (polynomial, factor, exponents)

    def cst(self, q):
        return constant(q), ()

    def den(self, e):
        r = constant(1)
        for p, k in zip(self.h, e):
            r = times(r, to_power(p, k))
        return r

    def _sum(self, a, b, factor):
        m = joined(a[1], b[1], max)
        lift = lambda x: times(x[0], self.den(joined(m, x[1], lambda u, v: u - v))) if x[1] != m else x[0]
        return plus(lift(a), lift(b), factor), m

    def add(self, a, b):
        return self._sum(a, b, 1)

    def sub(self, a, b):
        return self._sum(a, b, -1)

    def mul(self, a, b):
        if not a[0] or not b[0]:
            return self.cst(0)
        return times(a[0], b[0]), joined(a[1], b[1], lambda u, v: u + v)

    def opp(self, a):
        return scaled(a[0], -1), a[1]

    def div(self, a, b):
        if not a[0]:
            return self.cst(0)
        c, e = self.register(b[0])
        return scaled(times(a[0], self.den(b[1])), 1 / c), joined(a[1], e, lambda u, v: u + v)

    def register(self, p, tree=None):
        """How p is written: (c, exponents) with p = c h1^e1 ...; new denominators as needed."""
        if not p:
            raise ZeroDivisionError
        if is_constant(p):
            return value(p), ()
        for q, c, e in self.known:
            if p == q:
                return c, e
        rest, e = p, [0] * len(self.h)
        for i, h in enumerate(self.h):
            while True:
                q = divide(rest, h, self.by)
                if q is None:
                    break
                rest, e[i] = q, e[i] + 1
        for v, k in content(rest):
            self.new(var(v), tree)
            e.append(k)
            rest = divide(rest, {((v, k),): Fraction(1)}, self.by)
        if not is_constant(rest):
            lead = rest[self.by.lead(rest)]
            self.new(scaled(rest, 1 / lead), tree)
            e.append(1)
            rest = constant(lead)
        while e and e[-1] == 0:
            e.pop()
        self.known.append((p, value(rest), tuple(e)))
        return value(rest), tuple(e)

    def new(self, h, tree):
        self.h.append(h)
        self.why.append(tree)


def joined(a, b, f):
    n = max(len(a), len(b))
    r = [f(x, y) for x, y in zip((*a, *(0,) * (n - len(a))), (*b, *(0,) * (n - len(b))))]
    while r and r[-1] == 0:
        r.pop()
    return tuple(r)


class Numbers:
    """Rational numbers."""

    cst = staticmethod(Fraction)
    add = staticmethod(lambda a, b: a + b)
    sub = staticmethod(lambda a, b: a - b)
    mul = staticmethod(lambda a, b: a * b)
    opp = staticmethod(lambda a: -a)
    div = staticmethod(lambda a, b: a / b)


class Dual:
    """a + a' eps."""

    def __init__(self, ops):
        self.o = ops

    def cst(self, q):
        return self.o.cst(q), self.o.cst(0)

    def add(self, a, b):
        return self.o.add(a[0], b[0]), self.o.add(a[1], b[1])

    def sub(self, a, b):
        return self.o.sub(a[0], b[0]), self.o.sub(a[1], b[1])

    def mul(self, a, b):
        o = self.o
        return o.mul(a[0], b[0]), o.add(o.mul(a[1], b[0]), o.mul(a[0], b[1]))

    def opp(self, a):
        return self.o.opp(a[0]), self.o.opp(a[1])

    def div(self, a, b):
        o = self.o
        q = o.div(a[0], b[0])
        return q, o.div(o.sub(a[1], o.mul(q, b[1])), b[0])


# ---- evaluation ----

class Evaluator:
    """Values of trees at a point: a dict from variables to scalars."""

    def __init__(self, ops, point):
        self.o, self.point, self.memo = ops, point, {}

    def scalar(self, node):
        return self(node)[0][0]

    def __call__(self, node):
        entry = self.memo.get(id(node))
        if entry is None:
            entry = self.memo[id(node)] = (node, self.compute(node))  # keeps the node alive
        return entry[1]

    def total(self, items):
        r = None
        for x in items:
            r = x if r is None else self.o.add(r, x)
        return self.o.cst(0) if r is None else r

    def product(self, A, B):
        if len(A) == len(A[0]) == 1:
            return [[self.o.mul(A[0][0], b) for b in row] for row in B]
        if len(B) == len(B[0]) == 1:
            return [[self.o.mul(a, B[0][0]) for a in row] for row in A]
        zero = self.o.cst(0)
        return [[self.total(self.o.mul(a, B[k][j]) for k, a in enumerate(row) if a != zero)
                 for j in range(len(B[0]))] for row in A]

    def det(self, A):
        """Laplace along the first row; each minor of the last rows is computed once."""
        zero, memo = self.o.cst(0), {}

        def minor(cols):
            if not cols:
                return self.o.cst(1)
            if cols not in memo:
                row, terms = A[len(A) - len(cols)], []
                for k, j in enumerate(cols):
                    if row[j] != zero:
                        t = self.o.mul(row[j], minor(cols[:k] + cols[k + 1:]))
                        terms.append(self.o.opp(t) if k % 2 else t)
                memo[cols] = self.total(terms)
            return memo[cols]

        return minor(tuple(range(len(A))))

    def adj(self, A):
        n = len(A)
        minor = lambda i, j: [r[:j] + r[j + 1:] for k, r in enumerate(A) if k != i]
        sign = lambda k, x: self.o.opp(x) if k % 2 else x
        return [[sign(i + j, self.det(minor(j, i))) for j in range(n)] for i in range(n)]

    def qmul(self, p, q):
        p, q = [r[0] for r in p], [r[0] for r in q]
        table = [[(0, 0, 1), (1, 1, -1), (2, 2, -1), (3, 3, -1)],
                 [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, -1)],
                 [(0, 2, 1), (1, 3, -1), (2, 0, 1), (3, 1, 1)],
                 [(0, 3, 1), (1, 2, 1), (2, 1, -1), (3, 0, 1)]]
        mul, opp = self.o.mul, self.o.opp
        return [[self.total(mul(p[i], q[j]) if s > 0 else opp(mul(p[i], q[j])) for i, j, s in row)]
                for row in table]

    def qconj(self, p):
        return [[x if i == 0 else self.o.opp(x)] for i, (x,) in enumerate(p)]

    def compute(self, node):
        o, kind, args = self.o, node.kind, node.args
        if kind == "Def":
            return self(node.target)
        if kind == "Num":
            return [[o.cst(args[0])]]
        if kind == "Var":
            return [[self.point[args[0]]]]
        if kind == "Subst":
            point = {**self.point, args[0]: self.scalar(node.kids[1])}
            return Evaluator(o, point)(node.kids[0])
        if kind == "Diff":
            point = {v: (x, o.cst(1 if v == args[0] else 0)) for v, x in self.point.items()}
            return [[x[1] for x in row] for row in Evaluator(Dual(o), point)(node.kids[0])]
        m, n = node.shape
        if kind in ("Eye", "Const", "Unit"):
            f = {"Eye": lambda i, j: int(i == j), "Const": lambda i, j: args[0],
                 "Unit": lambda i, j: int(i == args[-1])}[kind]
            return [[o.cst(f(i, j)) for j in range(n)] for i in range(m)]
        kids = [self(k) for k in node.kids]
        return getattr(self, "_" + kind.lower())(args, *kids)

    def _add(self, _, A, B):
        return [[self.o.add(a, b) for a, b in zip(r, s)] for r, s in zip(A, B)]

    def _sub(self, _, A, B):
        return [[self.o.sub(a, b) for a, b in zip(r, s)] for r, s in zip(A, B)]

    def _mul(self, _, A, B):
        return self.product(A, B)

    def _div(self, _, A, B):
        return [[self.o.div(a, B[0][0]) for a in r] for r in A]

    def _neg(self, _, A):
        return [[self.o.opp(a) for a in r] for r in A]

    def _pow(self, args, A):
        r = A
        for _ in range(args[0] - 1):
            r = self.product(r, A)
        return r

    def _trans(self, _, A):
        return [list(r) for r in zip(*A)]

    def _inv(self, _, A):
        d = self.det(A)
        return [[self.o.div(a, d) for a in r] for r in self.adj(A)]

    def _det(self, _, A):
        return [[self.det(A)]]

    def _adj(self, _, A):
        return self.adj(A)

    def _tr(self, _, A):
        return [[self.total(A[i][i] for i in range(len(A)))]]

    def _stack(self, _, A, B):
        return A + B

    def _beside(self, _, A, B):
        return [r + s for r, s in zip(A, B)]

    def _part(self, args, A):
        i, j, m, n = args
        return [r[j:j + n] for r in A[i:i + m]]

    def _diag(self, _, A):
        zero = self.o.cst(0)
        return [[A[i][0] if i == j else zero for j in range(len(A))] for i in range(len(A))]

    def _vec(self, _, A):
        return [[A[i][j]] for j in range(len(A[0])) for i in range(len(A))]

    def _minor2(self, _, A):
        pairs = lambda n: [(i, j) for i in range(n) for j in range(i + 1, n)]
        mul, sub = self.o.mul, self.o.sub
        return [[sub(mul(A[i][k], A[j][t]), mul(A[i][t], A[j][k])) for k, t in pairs(len(A[0]))]
                for i, j in pairs(len(A))]

    def _cross(self, _, A):
        (a,), (b,), (c,) = A
        z, opp = self.o.cst(0), self.o.opp
        return [[z, opp(c), b], [c, z, opp(a)], [opp(b), a, z]]

    def _qmul(self, _, p, q):
        return self.qmul(p, q)

    def _qconj(self, _, p):
        return self.qconj(p)

    def _quat(self, _, p, q):
        c = self.qconj(q)
        cols = [self.qmul(self.qmul(p, [[self.o.cst(int(i == k))] for i in range(4)]), c)
                for k in range(4)]
        return [[cols[k][i][0] for k in range(4)] for i in range(4)]
