#!/usr/bin/env python3
"""The three-layer network of S_5 in plain Python fractions, beside bench_net.

usage: net_fractions.py BUILD/bench/bench_net [LENGTH]

Same layers, same letters, same words, every prefix compared with the direct product in both
programs.  Nothing is tabulated or skipped here: a state is a dense list of fractions and
every layer does H <- G + beta k (v - G^T k)^T, G = Diag(alpha) H, then o = H^T q.
"""
import itertools
import subprocess
import sys
import time
from fractions import Fraction as F

N, M = 5, 4
LETTERS = list(itertools.permutations(range(N)))


class Root2:
    """a + b sqrt(2): the field of the clock."""

    def __init__(self, a, b=0):
        self.a, self.b = F(a), F(b)

    def __add__(self, y):
        return Root2(self.a + y.a, self.b + y.b)

    def __sub__(self, y):
        return Root2(self.a - y.a, self.b - y.b)

    def __mul__(self, y):
        return Root2(self.a * y.a + 2 * self.b * y.b, self.a * y.b + self.b * y.a)

    def key(self):
        return self.a, self.b


def step(H, beta, k, alpha, v, q, zero):
    """One head: the new state and its output; beta is divided by k^T k already."""
    n, m = len(H), len(H[0])
    G = [[alpha[i] * x for x in H[i]] for i in range(n)]
    out = []
    for c in range(m):
        p = zero
        for i in range(n):
            p = p + G[i][c] * k[i]
        e = beta * (v[c] - p)
        for i in range(n):
            G[i][c] = G[i][c] + e * k[i]
        o = zero
        for i in range(n):
            o = o + G[i][c] * q[i]
        out.append(o)
    return G, out


def factors(f):
    """A permutation as swaps, first applied first: (key, beta / key^T key)."""
    seen, swaps = set(), []
    for i in range(N):
        cycle, x = [], i
        while x not in seen:
            seen.add(x)
            cycle.append(x)
            x = f[x]
        swaps += list(zip(cycle, cycle[1:]))
    result = []
    for a, b in reversed(swaps):
        key = [F(0)] * N
        key[a], key[b] = F(1), F(-1)
        result.append((key, F(1)))
    return result + [([F(1)] + [F(0)] * (N - 1), F(0))] * (M - len(result))


def product(word):
    p = list(range(N))
    for x in word:
        p = [LETTERS[x][i] for i in p]
    return p


def lookup(o, r):
    """Outputs of the buffer -> factor and query of the accumulator."""
    slot = [None] * (2 * M)
    for a, bits in enumerate(o):
        for i in range(2 * M):
            if int(bits) >> i & 1:
                slot[i] = a
    j = (r - 1) % M + 1
    cur = [slot[(r - j + 1 + t) % (2 * M)] for t in range(j)]
    prev = [slot[(r - j - M + 1 + t) % (2 * M)] for t in range(M)]
    fs = factors(list(range(N)) if prev[0] is None else product(prev))
    c = product(cur)
    q = [F((N + 1) ** c[i]) for i in range(N)]
    for key, beta in reversed(fs[j:]):
        d = sum((a * b for a, b in zip(q, key)), F(0))
        q = [x - beta * d * k for x, k in zip(q, key)]
    return fs[j - 1], q


def decode(number):
    image = [0] * N
    number = int(number)
    for j in range(N):
        image[number % (N + 1) - 1] = j
        number //= N + 1
    return image


def words(length):
    x = 1
    for _ in range(length):
        x = (x * 25214903917 + 11) % 2**48
        yield (x >> 16) % len(LETTERS)


def run(length):
    half = Root2(0, F(1, 2))  # cos(pi/4) = sin(pi/4)
    key = [half - Root2(1), half]
    norm = key[0] * key[0] + key[1] * key[1]  # 2 - sqrt(2)
    scale = Root2(2) * Root2(1, F(1, 2))      # 2 / (2 - sqrt(2)) = 2 + sqrt(2)
    assert (norm * scale).key() == (2, 0)
    one, zero = Root2(1), Root2(0)
    query = [Root2(F(3, 5)), Root2(F(4, 5))]
    clock, phases = [[one], [zero]], {}
    for i in range(1, 2 * M + 1):
        clock, o = step(clock, scale, key, [one, Root2(-1)], [zero], query, zero)
        phases[o[0].key()] = i % (2 * M)
    buffer = [[F(0)] * len(LETTERS) for _ in range(2 * M)]
    state = [[F(i + 1)] for i in range(N)]
    powers = [F(2**i) for i in range(2 * M)]
    ones = [F(1)] * max(2 * M, N)
    direct = list(range(N))
    start = time.process_time()
    for x in words(length):
        clock, o = step(clock, scale, key, [one, Root2(-1)], [zero], query, zero)
        r = phases[o[0].key()]
        k = [F(i == r) for i in range(2 * M)]
        v = [F(a == x) for a in range(len(LETTERS))]
        buffer, o = step(buffer, F(1), k, ones, v, powers, F(0))
        (k, beta), q = lookup(o, r)
        state, o = step(state, beta, k, ones, [F(0)], q, F(0))
        direct = [LETTERS[x][i] for i in direct]
        assert decode(o[0]) == direct
    return length / (time.process_time() - start)


def main():
    length = int(sys.argv[2]) if len(sys.argv) > 2 else 250
    ours = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    print(ours, end="")
    theirs = run(length)
    print(f"net fractions-S5 length {length} prefixes {theirs:.0f}")
    again = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    rates = [float(line.split()[5]) for line in (ours + again).splitlines()
             if line.startswith("net S5 length 250 ")]
    print(f"ratio {min(rates) / theirs:.0f} (slower of two rounds of ours, CPU time)")


if __name__ == "__main__":
    main()
