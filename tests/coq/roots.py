"""Numbers in Q(a), a a positive root of a polynomial over the rational numbers, as in Roots.v."""
from fractions import Fraction

PIECES, HALVINGS = 64, 60  # of the search for a change of sign, and of the interval where it is


def horner(c, x):
    r = Fraction(0)
    for a in reversed(c):
        r = a + r * x
    return r


class Field:
    """a^d = tail (d coefficients, ascending), low <= a <= high; inverses: those that were computed."""

    def __init__(self, tail, low, high):
        self.tail, self.low, self.high, self.inverses = tail, low, high, {}

    def number(self, x):
        return x if isinstance(x, Number) else Number(self, [Fraction(x)] + [Fraction(0)] * (len(self.tail) - 1))

    def inverse(self, x):
        if x.c not in self.inverses:
            self.inverses[x.c] = self.solve(x)
        return Number(self, self.inverses[x.c])

    def solve(self, x):
        """The y with x y = 1: a linear system, whose columns are x, x a, x a^2, ..."""
        d = len(self.tail)
        columns = [x]
        while len(columns) < d:
            columns.append(columns[-1].times_a())
        rows = [[c.c[i] for c in columns] + [Fraction(i == 0)] for i in range(d)]
        for j in range(d):
            k = next((k for k in range(j, d) if rows[k][j]), None)
            if k is None:
                raise ZeroDivisionError
            rows[j], rows[k] = rows[k], rows[j]
            rows[j] = [v / rows[j][j] for v in rows[j]]
            for i in range(d):
                if i != j:
                    rows[i] = [v - rows[i][j] * w for v, w in zip(rows[i], rows[j])]
        return tuple(row[-1] for row in rows)


class Number:
    """Coefficients of 1, a, a^2, ...; works together with Fraction."""

    def __init__(self, field, c):
        self.field, self.c = field, tuple(c)

    def times_a(self):
        return Number(self.field, [s + self.c[-1] * t for s, t in zip((Fraction(0), *self.c[:-1]), self.field.tail)])

    def __add__(self, other):
        return Number(self.field, [a + b for a, b in zip(self.c, self.field.number(other).c)])

    def __neg__(self):
        return Number(self.field, [-a for a in self.c])

    def __mul__(self, other):
        result = self.field.number(0)
        for a in reversed(self.c):
            result = result.times_a() + Number(self.field, [a * b for b in self.field.number(other).c])
        return result

    def __truediv__(self, other):
        return self * self.field.inverse(self.field.number(other))

    def __rtruediv__(self, other):
        return self.field.inverse(self) * other

    def __pow__(self, n):
        result = self.field.number(1)
        for _ in range(n):
            result = result * self
        return result

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return -self + other

    def __bool__(self):
        return any(self.c)

    def __eq__(self, other):
        return self.c == self.field.number(other).c

    def __hash__(self):
        return hash(self.c)

    def __gt__(self, other):
        return (self - other).sign() > 0

    def __ge__(self, other):
        return (self - other).sign() >= 0

    def __lt__(self, other):
        return (self - other).sign() < 0

    def sign(self):
        if not self:
            return 0
        low = high = Fraction(0)
        for a in reversed(self.c):
            low, high = (a + (self.field.low if low >= 0 else self.field.high) * low,
                         a + (self.field.high if high >= 0 else self.field.low) * high)
        if low <= 0 <= high:
            raise ZeroDivisionError  # not decided
        return 1 if low > 0 else -1


def field_of(point):
    """The field of a point's irrational coordinates, or None."""
    return next((x.field for x in point.values() if isinstance(x, Number)), None)


def irrational_root(p, v):
    """A positive root of a polynomial in the variable v without rational roots, in a list; [] if none is found."""
    by = {dict(m).get(v, 0): c for m, c in p.items()}
    d = max(by)
    c = [by.get(i, Fraction(0)) / by[d] for i in range(d + 1)]
    top = 1 + max(abs(x) for x in c)
    ends = [Fraction(top) * i / PIECES for i in range(PIECES + 1)]
    for low, high in zip(ends, ends[1:]):
        if horner(c, low) * horner(c, high) < 0:
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                low, high = (low, middle) if horner(c, low) * horner(c, middle) <= 0 else (middle, high)
            field = Field([-x for x in c[:d]], low, high)
            return [Number(field, [Fraction(i == 1) for i in range(d)])]
    return []


def linear_root(p, v):
    """The root of a polynomial of degree 1 over such numbers."""
    by = {dict(m).get(v, 0): c for m, c in p.items()}
    return [-by.get(0, Fraction(0)) / by[1]] if max(by) == 1 else []
