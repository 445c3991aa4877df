"""Hints for Coq: divisors, rules of the relations, certificates of signs, Gram forms, quotients.

Everything here is a guess that Check.v and Signs.v verify: a wrong hint makes a lemma fail, nothing else.
A certificate of a sign is a tuple: ("num", q), ("hyp", i), ("square", node), ("square_hyp", i),
("add", a, b), ("mul", a, b), ("div", a, b); it stands for a number that is >= 0 or > 0.
"""
from fractions import Fraction

import algebra
import texts
from algebra import Evaluator, Fractions, Order, TooLarge
from texts import Node


def term_node(m, c):
    node = texts.num(c)
    for v, e in m:
        x = Node("Var", args=[v])
        x = texts.power(x, e)
        node = x if node.kind == "Num" and node.args[0] == 1 else texts.mul(node, x)
    return node


def poly_node(p, by):
    """The tree of a polynomial."""
    node = None
    for m in sorted(p, key=by.key, reverse=True):
        t = term_node(m, p[m])
        node = t if node is None else texts.add(node, t)
    return texts.num(0) if node is None else node


class Sign:
    """sign * value(certificate) is the number; strict: it is not zero."""

    def __init__(self, sign, strict, cert):
        self.sign, self.strict, self.cert = sign, strict, cert

    def negated(self):
        return Sign(-self.sign, self.strict, self.cert)


def sum_of(a, b):
    if a is None or b is None or a.sign != b.sign:
        return None
    return Sign(a.sign, a.strict or b.strict, ("add", a.cert, b.cert))


def product_of(a, b):
    if a is None or b is None:
        return None
    one = ("num", Fraction(1))
    cert = b.cert if a.cert == one else a.cert if b.cert == one else ("mul", a.cert, b.cert)
    return Sign(a.sign * b.sign, a.strict and b.strict, cert)


def of_number(q):
    return Sign(-1 if q < 0 else 1, q != 0, ("num", abs(Fraction(q))))


def laplace_terms(A):
    """How many products Laplace's expansion has (zero entries are skipped)."""
    memo = {(): 1}

    def count(cols):
        if cols not in memo:
            row = A[len(A) - len(cols)]
            memo[cols] = sum(count(cols[:k] + cols[k + 1:]) for k, j in enumerate(cols) if row[j][0])
        return memo[cols]

    return count(tuple(range(len(A))))


class Context:
    """What is known where one statement is decided: trees are those of its theory."""

    def __init__(self, theory, trees, fresh=0):
        self.theory = theory
        self.n = len(theory.variables) + fresh
        self.by = Order(self.n)
        self.f = Fractions(self.by)
        self.at = Evaluator(self.f, {i: (algebra.var(i), ()) for i in range(self.n)})
        self.seen = set()
        self.keep = []
        for a, b in theory.relations:
            self.divisors(a, self.at)
            self.divisors(b, self.at)
        for _, a, b in theory.assume:
            self.divisors(a, self.at)
            self.divisors(b, self.at)
        for t in trees:
            self.divisors(t, self.at)
        self.relations = self.relation_polys()
        self.basis = algebra.groebner(self.relations, self.by) if self.relations else []
        self.facts = list(self.fact_polys())
        self.signs = {}

    def divisors(self, node, at):
        """Registers what the tree divides by, in the order that evaluation meets it."""
        if (id(node), id(at)) in self.seen:
            return
        self.seen.add((id(node), id(at)))
        self.keep.append((node, at))
        if node.kind == "Def":
            self.divisors(node.target, at)
        elif node.kind == "Subst":
            self.divisors(node.kids[1], at)
            inner = Evaluator(self.f, {**at.point, node.args[0]: at.scalar(node.kids[1])})
            self.divisors(node.kids[0], inner)
        else:
            for k in node.kids:
                self.divisors(k, at)
        if node.kind == "Det" and node.kids[0].rows > 8 and laplace_terms(at(node.kids[0])) > 200_000:
            raise TooLarge
        if node.kind == "Div":
            self.f.register(at.scalar(node.kids[1])[0], node.kids[1])
        elif node.kind == "Inv":
            self.f.register(at.det(at(node.kids[0]))[0], Node("Det", node.kids))

    def relation_polys(self):
        """As Check.v lists them."""
        polys = []
        for a, b in self.theory.relations:
            for r, s in zip(self.at(a), self.at(b)):
                polys += [self.f.sub(x, y)[0] for x, y in zip(r, s)]
        return polys

    def normal(self, p):
        return algebra.normal_form(p, self.basis, self.by)

    def fact_polys(self):
        for i, (order, a, b) in enumerate(self.theory.assume):
            p, e = self.f.sub(self.at.scalar(a), self.at.scalar(b))
            if not e:
                yield i, order, self.normal(p)

    # ---- signs ----

    def sign(self, node):
        if id(node) not in self.signs:
            self.keep.append(node)
            self.signs[id(node)] = None
            try:
                self.signs[id(node)] = self.best(node)
            except TooLarge:
                pass
        return self.signs[id(node)]

    def best(self, node):
        known = self.as_it_stands(node)
        if known is None or not known.strict:
            other = self.behind(node)
            known = other if known is None or (other is not None and other.strict) else known
        return known

    def as_it_stands(self, node):
        kind, kids = node.kind, node.kids
        if kind == "Def":
            return self.sign(node.target)
        if kind == "Num":
            return of_number(node.args[0])
        if kind in ("Add", "Sub"):
            a, b = self.sign(kids[0]), self.sign(kids[1])
            return sum_of(a, b if kind == "Add" or b is None else b.negated())
        if kind == "Neg":
            a = self.sign(kids[0])
            return a and a.negated()
        if kind == "Mul":
            if not kids[0].scalar:
                return self.quadratic(node)
            if self.equal(kids[0], kids[1]):
                return self.squared(kids[0], 2)
            return product_of(self.sign(kids[0]), self.sign(kids[1]))
        if kind == "Div":
            return self.divided(self.sign(kids[0]), kids[1])
        if kind == "Pow":
            return self.squared(kids[0], node.args[0])
        return None

    def equal(self, a, b):
        return self.at(a) == self.at(b)

    def squared(self, node, n):
        """node^n"""
        a = self.sign(node)
        if a is not None and (a.strict or n % 2):
            r = a
            for _ in range(n - 1):
                r = product_of(r, a)
            return r
        if n % 2:
            return None
        if n == 2:
            for i, order, p in self.facts:
                if order == "Ne" and self.normal(self.at.scalar(node)[0]) in (p, algebra.scaled(p, -1)):
                    return Sign(1, True, ("square_hyp", i))
        return Sign(1, False, ("square", texts.power(node, n // 2)))

    def divided(self, a, den):
        b = self.sign(den)
        if a is None or b is None:
            return None
        if b.strict:
            return Sign(a.sign * b.sign, a.strict, ("div", a.cert, b.cert))
        # 1 / b = b (1 / b)^2
        inverse = texts.div(texts.num(1), den)
        return Sign(a.sign * b.sign, False, ("mul", ("mul", a.cert, b.cert), ("square", inverse)))

    def quadratic(self, node):
        """u'*u, v'*M*v with M psd."""
        total = None
        for cert, w in self.gram(node) or []:
            square = ("mul", cert, ("square", w))
            total = square if total is None else ("add", total, square)
        return total and Sign(1, False, total)

    def behind(self, node):
        p, e = self.at.scalar(node)
        top = self.poly_sign(self.normal(p))
        for h, k in zip(self.f.h, e):
            if top is None or k == 0:
                continue
            top = self.over(top, h, k)
        return top

    def over(self, top, h, k):
        node = poly_node(h, self.by)
        s = self.poly_sign(self.normal(h))
        self.f.register(h)
        if s is not None and s.strict:
            for _ in range(k):
                top = Sign(top.sign * s.sign, top.strict, ("div", top.cert, s.cert))
            return top
        self.f.register(algebra.to_power(h, (k + 1) // 2))
        square = ("square", texts.div(texts.num(1), texts.power(node, (k + 1) // 2)))
        if k % 2 == 0:
            return Sign(top.sign, False, ("mul", top.cert, square))
        if s is None:
            return None
        return Sign(top.sign * s.sign, False, ("mul", ("mul", top.cert, s.cert), square))

    def variable_signs(self):
        """Signs of single variables that the assumptions give."""
        known = {}
        for i, order, p in self.facts:
            linear = [m for m in p if m]
            if len(linear) != 1 or len(linear[0]) != 1 or linear[0][0][1] != 1:
                continue
            v, a, b = linear[0][0][0], p[linear[0]], algebra.value(p)
            if order == "Ne" or b > 0:
                continue
            # a x = hyp - b
            cert = ("add", ("hyp", i), ("num", -b)) if b else ("hyp", i)
            cert = cert if abs(a) == 1 else ("mul", ("num", 1 / abs(a)), cert)
            strict = order == "Gt" or b < 0
            if v not in known or strict:
                known[v] = Sign(1 if a > 0 else -1, strict, cert)
        return known

    def term_sign(self, m, c, variables):
        s = of_number(c)
        for v, e in m:
            x = variables.get(v)
            if e % 2 == 0 and (x is None or not x.strict):
                t = Sign(1, False, ("square", texts.power(Node("Var", args=[v]), e // 2)))
            else:
                t = x
                for _ in range(e - 1):
                    t = product_of(t, x)
            s = product_of(s, t)
        return s

    def terms_sign(self, p, variables):
        total = None
        for m, c in p.items():
            s = self.term_sign(m, c, variables)
            if s is None:
                return None
            total = s if total is None else sum_of(total, s)
            if total is None:
                return None
        return total

    def poly_sign(self, p):
        if not p:
            return of_number(0)
        if len(p) > 200:
            return None
        variables = self.variable_signs()
        found = self.terms_sign(p, variables)
        for f, s in self.products():
            if found is not None and found.strict:
                break
            for m in list(f)[:16]:
                c = p.get(m, Fraction(0)) / f[m]
                if c == 0:
                    continue
                rest = algebra.plus(p, f, -c)
                t = product_of(of_number(c), s)
                if rest:
                    t = sum_of(t, self.terms_sign(rest, variables))
                if t is not None and (found is None or t.strict):
                    found = t
        return found

    def products(self):
        singles = [(p, Sign(1, order == "Gt", ("hyp", i)))
                   for i, order, p in self.facts if order != "Ne" and p]
        yield from singles
        for i, (p, s) in enumerate(singles[:12]):
            for q, t in singles[:i + 1]:
                r = self.normal(algebra.times(p, q))
                if r:
                    yield r, product_of(s, t)

    # ---- Gram forms: a psd matrix as a sum of cert * w w' ----

    def gram(self, node):
        """List of (certificate, column), or None.  A scalar counts as a 1 x 1 matrix."""
        kind, kids = node.kind, node.kids
        if kind == "Def":
            return self.gram(node.target)
        if not node.scalar and self.is_constant(node):
            return self.lagrange(node)
        if kind == "Eye":
            return [(("num", Fraction(1)), texts.unit(node.rows, i)) for i in range(node.rows)]
        if kind == "Const" and node.args[0] == 0:
            return []
        if kind == "Add":
            a, b = self.gram(kids[0]), self.gram(kids[1])
            return None if a is None or b is None else a + b
        if kind == "Pow" and node.args[0] % 2 == 0:
            half = texts.power(kids[0], node.args[0] // 2)
            return self.halves([texts.trans(half), half]) if self.symmetric(half) else None
        if kind in ("Mul", "Div"):
            return self.product_gram(node)
        return None

    def is_constant(self, node):
        try:
            return all(algebra.is_constant(p) and not e for row in self.at(node) for p, e in row)
        except TooLarge:
            return False

    def symmetric(self, node):
        return self.equal(node, texts.trans(node))

    def product_gram(self, node):
        """Scalars out, then X1 .. Xk (M) Xk' .. X1', at every level of the left spine."""
        scalar, factors, at = Sign(1, True, ("num", Fraction(1))), [], node
        while scalar is not None:
            if at.kind == "Div":
                scalar, at = self.divided(scalar, at.kids[1]), at.kids[0]
            elif at.kind == "Mul" and at.kids[1].scalar:
                scalar, at = product_of(scalar, self.sign(at.kids[1])), at.kids[0]
            elif at.kind == "Mul" and at.kids[0].scalar:
                scalar = product_of(scalar, self.sign(at.kids[0]))
                at = at.kids[1]
            elif at.kind == "Mul":
                factors.insert(0, at.kids[1])
                at = at.kids[0]
            elif at.scalar and factors:
                scalar = product_of(scalar, self.sign(at))
                return self.weighted(scalar, self.halves(factors))
            else:
                found = self.weighted(scalar, self.halves([at] + factors))
                if found is None and at.kind == "Def":
                    at = at.target
                    continue
                return found
            if factors and not (at.kind in ("Mul", "Div") and at.scalar) and not at.scalar:
                found = self.weighted(scalar, self.halves([at] + factors))
                if found is not None:
                    return found
        return None

    def weighted(self, scalar, forms):
        if scalar is None or scalar.sign < 0 or forms is None:
            return None
        if scalar.cert == ("num", Fraction(1)):
            return forms
        return [(("mul", scalar.cert, c), w) for c, w in forms]

    def halves(self, factors):
        """Gram form of a product that reads the same transposed."""
        i, j = 0, len(factors) - 1
        while i < j:
            if factors[i].shape != factors[j].shape[::-1] or not self.equal(factors[i], texts.trans(factors[j])):
                return None
            i, j = i + 1, j - 1
        right = None
        for f in factors[j + 1 if i > j else i + 1:]:
            right = f if right is None else texts.mul(right, f)
        if i > j:
            return [(("num", Fraction(1)), texts.trans(texts.part(right, k, 0, 1, right.cols)))
                    for k in range(right.rows)]
        if factors[i].rows != factors[i].cols or (right is None and len(factors) == 1 and factors[0].kind in ("Mul", "Div")):
            return None
        middle = self.gram(factors[i])
        if middle is None or right is None:
            return middle
        return [(c, texts.mul(texts.trans(right), w)) for c, w in middle]

    def lagrange(self, node):
        """L D L' of a constant symmetric matrix."""
        a = [[algebra.value(p) for p, _ in row] for row in self.at(node)]
        n, forms = len(a), []
        if any(a[i][j] != a[j][i] for i in range(n) for j in range(i)):
            return None
        while True:
            k = next((i for i in range(n) if a[i][i] > 0), None)
            if k is None:
                break
            d, col = a[k][k], [a[i][k] / a[k][k] for i in range(n)]
            forms.append((("num", d), texts.stack([texts.num(x) for x in col])))
            a = [[a[i][j] - d * col[i] * col[j] for j in range(n)] for i in range(n)]
        return forms if all(x == 0 for row in a for x in row) else None

    # ---- divisibility ----

    def quotient(self, f, g, x):
        """Trees of the coefficients of g / f in the variable x, lowest first; None if f does not divide."""
        (pf, ef), (pg, eg) = self.at.scalar(f), self.at.scalar(g)
        q = algebra.divide(pg, pf, self.by)
        if q is None:
            return None
        coefficients = {}
        for m, c in q.items():
            k = dict(m).get(x, 0)
            rest = tuple((v, e) for v, e in m if v != x)
            coefficients.setdefault(k, {})[rest] = c
        top, bottom = self.f.den(ef), self.f.den(eg)
        nodes = []
        for k in range(max(coefficients, default=0) + 1):
            node = poly_node(algebra.times(coefficients.get(k, {}), top), self.by)
            if not algebra.is_constant(bottom):
                self.f.register(bottom)
                node = texts.div(node, poly_node(bottom, self.by))
            nodes.append(node)
        return nodes
