"""The trackers of the paper in numbers: letters with their steps, elements and matrices.

A letter is (element, [(beta, key, gates)]): elements are image lists from 0, keys have any length.
Matrices of exact states are doubles here; they are told apart at 1e-6, and a decode that is not
clear by 1e-9 counts as a tie.
"""
import itertools
from decimal import Decimal
from fractions import Fraction

from rounding import cosine, root, sine, to_decimal

R5, R2 = root(5), root(2)


def compose(g, h):
    """g h: h first."""
    return tuple(g[i] for i in h)


def cycles_text(g):
    seen, out = set(), ""
    for i in range(len(g)):
        cycle = []
        while i not in seen:
            seen.add(i)
            cycle.append(i + 1)
            i = g[i]
        out += "(" + ",".join(map(str, cycle)) + ")" if len(cycle) > 1 else ""
    return out or "()"


def from_cycles(text, points):
    g = list(range(points))
    for part in text.strip("()").split(")("):
        cycle = [int(x) - 1 for x in part.split(",") if x]
        for a, b in zip(cycle, cycle[1:] + cycle[:1]):
            g[a] = b
    return tuple(g)


def times(A, B):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*B)] for row in A]


def householder(beta, key, gates):
    square = sum(to_decimal(k) ** 2 for k in key)
    return [[(to_decimal(i == j) - to_decimal(beta) * to_decimal(a) * to_decimal(b) / square) * gates[j]
             for j, b in enumerate(key)] for i, a in enumerate(key)]


def product(steps):
    out = householder(*steps[0])
    for step in steps[1:]:
        out = times(householder(*step), out)
    return out


def planar(name):
    m = int(name[1:])
    turn = tuple((i + 1) % m for i in range(m)) if m > 2 or name[0] == "Z" else (1, 0, 3, 2)
    mirror = tuple(-i % m for i in range(m)) if m > 2 else (2, 3, 0, 1)
    out, g = [], tuple(range(len(turn)))
    for k in range(m):
        angle = Fraction(k, 2 * m)  # half of the turn
        out.append((g, [(2, [sine(angle), -cosine(angle)], [1, -1])]))
        if name[0] == "D":
            out.append((compose(g, mirror), [(2, [sine(angle), -cosine(angle)], [1, 1])]))
        g = compose(turn, g)
    return out


def closure(gens):
    """[(element, matrix)] generated; both grow together, matrices as Decimals."""
    n = len(gens[0][1])
    start = (tuple(range(len(gens[0][0]))), [[to_decimal(i == j) for j in range(n)] for i in range(n)])
    found, todo = {start[0]: start[1]}, [start]
    for g, A in todo:
        for x, B in gens:
            y = compose(x, g)
            if y not in found:
                found[y] = times(B, A)
                todo.append((y, found[y]))
    return list(found.items())


def decimals(rows):
    return [[to_decimal(x) for x in row] for row in rows]


AXES = decimals([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
HALF = decimals([[1, 0, 0], [0, -1, 0], [0, 0, -1]])
QUARTER = decimals([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
A, B = (1 - R5) / 4, (1 + R5) / 4
FIVE = [[A, B, Decimal(1) / 2], [B, Decimal(1) / 2, A], [Decimal(-1) / 2, -A, -B]]
POLYHEDRA = {  # labels as the paper's frames and diagonals have them
    "A4": [("(1,2,3)", AXES), ("(1,2)(3,4)", HALF)],
    "S4": [("(1,2,3)", AXES), ("(1,2)(3,4)", HALF), ("(1,2,4,3)", QUARTER)],
    "A5": [("(1,2,3)", AXES), ("(1,2)(3,4)", HALF), ("(1,2,3,4,5)", FIVE)],
}


def rotations(name):
    points = int(name[1:])
    return closure([(from_cycles(c, points), M) for c, M in POLYHEDRA[name]])


def quaternion(name):
    out = []
    for g, M in rotations(name):
        c = (M[0][0] + M[1][1] + M[2][2] - 1) / 2
        w = [(M[2][1] - M[1][2]) / 2, (M[0][2] - M[2][0]) / 2, (M[1][0] - M[0][1]) / 2]
        Q = [[c, -w[0], -w[1], -w[2]]] + [[w[i], *((1 + c if i == j else 0) - (M[i][j] + M[j][i]) / 2 for j in range(3))]
                                          for i in range(3)]
        out.append((g, [(2, key_of(Q, [-1, 1, 1, 1]), [-1, 1, 1, 1])]))
    return out


def small(x):
    return abs(x) < Decimal(10) ** -50


def key_of(Q, gates):
    """A column of I - Q S that is not 0."""
    P = [[(1 if i == j else 0) - Q[i][j] * gates[j] for j in range(len(Q))] for i in range(len(Q))]
    return next(col for col in zip(*P) if not all(small(x) for x in col))


def cube(name):
    """The cube turned by 45 degrees about its third axis; the plainest of the steps that make each turn."""
    diagonals = [("(2,3,4)", AXES), ("(1,2)(3,4)", decimals([[-1, 0, 0], [0, -1, 0], [0, 0, 1]])), ("(1,4,2,3)", QUARTER)]
    P = [[1 / R2, 1 / R2, Decimal(0)], [-1 / R2, 1 / R2, Decimal(0)], [Decimal(0), Decimal(0), Decimal(1)]]
    gens = [(from_cycles(c, 4), M) for c, M in (diagonals[:2] if name == "A4" else diagonals[::2])]
    out = []
    for g, M in closure(gens):
        Q = times(times(P, M), list(zip(*P)))
        out.append((g, [(2, *plainest(Q))]))
    return out


def plainest(Q):
    best = None
    for code in range(8):
        gates = [-1 if code >> i & 1 else 1 for i in range(3)]
        S = [[Q[i][j] * gates[j] for j in range(3)] for i in range(3)]
        if all(small(S[i][j] - S[j][i]) for i in range(3) for j in range(3)) and small(sum(S[i][i] for i in range(3)) - 1):
            key = key_of(Q, gates)
            rank = (sum(not small(x) for x in key), gates.count(-1), code)
            if best is None or rank < best[0]:
                best = (rank, key, gates)
    return best[1:]


def transpositions(name):
    m = int(name[1:])
    out = []
    for g in itertools.permutations(range(m)):
        steps, h = [], list(g)
        for i in range(m):  # swaps that undo g, last first
            while h[i] != i:
                j = h[i]
                steps.insert(0, (2, [Fraction((r == i) - (r == j)) for r in range(m)], [1] * m))
                h[i], h[j] = h[j], h[i]
        out.append((g, steps or [(0, [Fraction(1)] + [Fraction(0)] * (m - 1), [1] * m)]))
    return out


def dyadic(_):
    """S3 by unit keys with entries 0, 1 and 1/2 in dimension 4; elements are read off the matrices."""
    half, signs = Fraction(1, 2), [1, 1, 1, -1]
    keys = [[0, 0, 0, 1], [half] * 4, [half, half, half, -half]]
    steps = [[(2, [Fraction(x) for x in k], g)] for k in keys for g in (signs, [1, 1, 1, 1])]
    mats = [product(s) for s in steps]
    names = {rounded(M): (i,) for i, M in enumerate(mats)}
    return [(names[rounded(M)], s) for M, s in zip(mats, steps)]


def rounded(M):
    return tuple(round(float(x) * 1e6) for row in M for x in row)


def given(doc):
    """The tracker of a document with one head over Q."""
    group = doc["group"]
    points = max(int(x) for g in group["generators"].values() for x in g.replace("(", ",").replace(")", ",").split(",") if x)
    return [(from_cycles(name, points), [(Fraction(t["beta"]), [Fraction(k) for k in t["key"]], [int(g) for g in t["gate"]])])
            for name, t in group["tracker"]["transitions"].items()]


def letters_of(name, construction):
    makers = {"planar": planar, "quaternion": quaternion, "cube": cube, "householder": transpositions, "dyadic": dyadic}
    name = {"S3": "D3"}.get(name, name) if construction == "planar" else name
    return makers[construction](name)


class Tracker:
    """Exact states with the element of each and the moves of the letters.

    A state is a tuple of columns; letters permute the finite set of columns, so one product of a
    letter with each column is all the arithmetic there is.
    """

    def __init__(self, letters):
        self.letters = letters
        mats = [[[float(x) for x in row] for row in product(steps)] for _, steps in letters]
        n = len(mats[0])
        self.column = [[float(i == j) for i in range(n)] for j in range(n)]
        index = {key(v): i for i, v in enumerate(self.column)}
        moves = [[] for _ in mats]
        for v in self.column:
            for M, move in zip(mats, moves):
                w = [sum(a * b for a, b in zip(row, v)) for row in M]
                if key(w) not in index:
                    index[key(w)] = len(self.column)
                    self.column.append(w)
                move.append(index[key(w)])
        self.states(moves, n)

    def states(self, moves, n):
        self.state, self.move = [tuple(range(n))], []
        self.plain = len(self.letters[0][0]) == 1  # dyadic: the state is the element
        self.element = [0 if self.plain else tuple(range(len(self.letters[0][0])))]
        index = {self.state[0]: 0}
        for s, S in enumerate(self.state):
            row = []
            for x, move in enumerate(moves):
                T = tuple(move[c] for c in S)
                if T not in index:
                    index[T] = len(self.state)
                    self.state.append(T)
                    self.element.append(index[T] if self.plain else compose(self.letters[x][0], self.element[s]))
                row.append(index[T])
            self.move.append(row)

    def entries(self, s):
        """The columns of a state."""
        return [self.column[c] for c in self.state[s]]

    def decode(self, columns):
        """The element of the nearest exact state; None if two are equally near."""
        dot = [[sum(float(a) * b for a, b in zip(h, v)) for v in self.column] for h in columns]
        if len(dot) == 4:
            d0, d1, d2, d3 = dot
            scores = [d0[a] + d1[b] + d2[c] + d3[d] for a, b, c, d in self.state]
        else:
            scores = [sum(d[c] for d, c in zip(dot, S)) for S in self.state]
        best = max(scores) - 1e-9
        found = {self.element[s] for s, v in enumerate(scores) if v > best}
        return found.pop() if len(found) == 1 else None


def key(v):
    return tuple(round(x * 1e6) for x in v)
