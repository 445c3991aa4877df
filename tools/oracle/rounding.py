"""Formats and rounding from their definition, on fractions; one token of a rounded recurrence."""
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 80
# precision, least and largest exponent of a normal number
FORMATS = {"bf16": (8, -126, 127), "fp16": (11, -14, 15), "fp32": (24, -126, 127), "fp64": (53, -1022, 1023)}


class Overflow(ArithmeticError):
    """A result beyond the largest finite number."""


def nearest(x, name, direction="rne"):
    """x rounded to a format, ties to even (or towards zero), subnormals kept."""
    p, emin, emax = FORMATS[name]
    a, d = abs(x.numerator), x.denominator
    if a == 0:
        return Fraction(0)
    e = a.bit_length() - d.bit_length()
    if (a << -e if e < 0 else a) < (d << e if e > 0 else d):
        e -= 1  # now 2^e <= |x| < 2^(e+1)
    unit = max(e, emin) - p + 1
    n, rest = divmod(a << -unit if unit < 0 else a, d << unit if unit > 0 else d)
    double, whole = 2 * rest, d << unit if unit > 0 else d
    if direction == "rne" and (double > whole or double == whole and n & 1):
        n += 1
    if n.bit_length() + unit > emax + 1:
        raise Overflow(name)
    n = -n if x < 0 else n
    return Fraction(n << unit) if unit >= 0 else Fraction(n, 1 << -unit)


def root(x):
    """The square root of a fraction or Decimal, to 80 digits."""
    return to_decimal(x).sqrt()


def to_decimal(x):
    return x if isinstance(x, Decimal) else Decimal(Fraction(x).numerator) / Decimal(Fraction(x).denominator)


def param(x, name):
    """An algebraic number, known to 80 digits, rounded once; digits below 10^-60 are 0."""
    return nearest(Fraction(x) if abs(x) > Decimal(10) ** -60 else Fraction(0), name)


def sine(turns):
    """sin(2 pi turns) to 80 digits, by its series; exact where it is 0, 1/2 or 1."""
    t = Fraction(turns) % 1
    known = {Fraction(0): 0, Fraction(1, 2): 0, Fraction(1, 4): 1, Fraction(3, 4): -1, Fraction(1, 12): Fraction(1, 2),
             Fraction(5, 12): Fraction(1, 2), Fraction(7, 12): Fraction(-1, 2), Fraction(11, 12): Fraction(-1, 2)}
    if t in known:
        return to_decimal(known[t])
    x = 2 * PI * to_decimal(t)
    total, term, k = Decimal(0), x, 1
    while abs(term) > Decimal(10) ** -85:
        total += term
        term *= -x * x / ((k + 1) * (k + 2))
        k += 2
    return total


def cosine(turns):
    return sine(Fraction(turns) + Fraction(1, 4))


def machin():
    """pi = 16 arctan(1/5) - 4 arctan(1/239)."""
    def arctan(n):
        total, power, k = Decimal(0), Decimal(1) / n, 1
        while power > Decimal(10) ** -90:
            total += power / k if k % 4 == 1 else -power / k
            power /= n * n
            k += 2
        return total
    return 16 * arctan(5) - 4 * arctan(239)


PI = machin()


class Arithmetic:
    """How a token is computed, from the options of the command; the defaults are its own."""

    def __init__(self, case):
        preset = case.option("--arithmetic")
        self.grid = int(case.option("--grid", default="16" if preset == "grid" else "0"))
        self.state = case.option("--state", default="fp32")
        self.keys = case.option("--keys", default="bf16" if preset == "grid" else "fp32")
        self.compute = "fp64" if self.state == "fp64" else "fp32"
        self.fma = case.option("--fma", default="on") == "on"
        self.norm = case.option("--key-norm", default="unit")
        self.flush = case.option("--flush")
        self.shrink = [exact(case.option(name, default="0")) for name in ("--shrink-beta", "--shrink-gate")]
        self.scale = Fraction(self.grid or 1)

    def rn(self, x):
        return nearest(x, self.compute)

    def store(self, y):
        if self.grid:
            return Fraction(round(y))
        y = nearest(y, self.state)
        return Fraction(0) if self.flush and abs(y) < Fraction(1, 2 ** int(self.flush)) else y

    def parameters(self, steps):
        """[(beta, unit key, gates)] -> what the kernel holds."""
        held = []
        for beta, key, gates in steps:
            square = sum(to_decimal(k) ** 2 for k in key)
            if self.norm == "direction":
                beta, size = Fraction(beta) / Fraction(square), Decimal(1)
            else:
                size = square.sqrt()
            held.append((nearest(Fraction(beta) - self.shrink[0], "fp32"),
                         [param(to_decimal(k) / size, self.keys) for k in key],
                         [nearest(Fraction(g) * (1 - self.shrink[1]), "fp32") for g in gates]))
        return held

    def column(self, steps, h):
        """One token for one column; also the least distance of a grid state from a rounding boundary."""
        free = Fraction(1)
        for beta, k, gates in steps:
            d = [self.rn(g * x) for g, x in zip(gates, h)]
            p = self.rn(k[0] * d[0])
            for x, y in zip(k[1:], d[1:]):
                p = self.rn(x * y + p) if self.fma else self.rn(p + self.rn(x * y))
            w = [self.rn(beta * x) for x in k]
            y = [self.rn(x - v * p) if self.fma else self.rn(x - self.rn(v * p)) for x, v in zip(d, w)]
            free = min([free, *(Fraction(1, 2) - abs(v - round(v)) for v in y)]) if self.grid else free
            h = tuple(self.store(v) for v in y)
        return h, free


def exact(text):
    """"1/3" or "0x1.9p-4"."""
    if text.lower().startswith("0x"):
        return Fraction(float.fromhex(text))
    return Fraction(text)
