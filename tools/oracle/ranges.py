"""Chunk schemes, gates and inner products, from the formulas of docs/range.md on fractions."""
import math
import struct
from decimal import Decimal
from fractions import Fraction

from cases import Skip
from rounding import FORMATS, Overflow, exact, nearest, to_decimal


def largest(name):
    p, _, emax = FORMATS[name]
    return (2 - Fraction(2) ** (1 - p)) * Fraction(2) ** emax


def edge(name):
    """From here on rounding to nearest leaves the format."""
    p, _, emax = FORMATS[name]
    return (2 - Fraction(2) ** -p) * Fraction(2) ** emax


def pattern(x, name):
    """Bits of a number of a format."""
    if name == "fp16":
        return "0x" + struct.pack(">e", float(x)).hex()
    bits = struct.pack(">f", float(x)).hex()
    return "0x" + (bits[:4] if name == "bf16" else bits)


def times(A, B):
    n = len(A)
    return [[sum((A[i][k] * B[k][j] for k in range(n) if A[i][k] and B[k][j]), Fraction(0)) for j in range(n)] for i in range(n)]


def unit(n):
    return [[Fraction(i == j) for j in range(n)] for i in range(n)]


def plus(A, B, sign=1):
    return [[a + sign * b for a, b in zip(r, s)] for r, s in zip(A, B)]


def biggest(A):
    return max(abs(x) for row in A for x in row)


def neumann(L):
    """[(name, matrix)]: powers of L and the products (I - L)(I + L^2)(I + L^4)..."""
    n, out, m = len(L), [("L", L)], 2
    P, power = plus(unit(n), L, -1), L
    while m < n:
        power = times(power, power)
        P = times(P, plus(unit(n), power))
        out.append((f"L^{m}", power))
        if m < n / 2:
            out.append((f"product to L^{m}", P))
        m *= 2
    return out, P


def inverse(L):
    """(I + L)^-1 by forward substitution, and the largest partial sum on the way."""
    n, partial = len(L), Fraction(0)
    T = unit(n)
    for j in range(n):
        for i in range(j + 1, n):
            total = Fraction(0)
            for k in range(j, i):
                total += L[i][k] * T[k][j]
                partial = max(partial, abs(total))
            T[i][j] = -total
    return T, partial


def equal_keys(n, x):
    return [[x if j < i else Fraction(0) for j in range(n)] for i in range(n)]


# ---- the emulated inverse: exact sums, rounded once; None is what is not finite ----

def rounded(x, name):
    try:
        return None if x is None else nearest(x, name)
    except Overflow:
        return None


def rounded_times(A, B, name):
    n = len(A)
    def entry(i, j):
        if any(A[i][k] is None or B[k][j] is None for k in range(n)):
            return None
        return rounded(sum((A[i][k] * B[k][j] for k in range(n) if A[i][k] and B[k][j]), Fraction(0)), name)
    return [[entry(i, j) for j in range(n)] for i in range(n)]


def emulated(L, name):
    n = len(L)
    L = [[rounded(x, name) for x in row] for row in L]
    def with_unit(A, sign):
        return [[None if x is None else rounded((i == j) + sign * x, name) for j, x in enumerate(row)]
                for i, row in enumerate(A)]
    P, power, m = with_unit(L, -1), L, 2
    while m < n:
        power = rounded_times(power, power, name)
        P = rounded_times(P, with_unit(power, 1), name)
        m *= 2
    return P


def on_grid(chunk, slow):
    """First beta with an entry that is not finite, first with one that is wrong by more than the tolerance."""
    if not slow and (Fraction(chunk.get("beta_max", "2")) > 1 or "correlation_max" in chunk):
        return {}
    n, name = chunk["length"], chunk["inverse_format"]
    out = {"emulation.first_nonfinite_beta": None, "emulation.first_wrong_beta": None}
    beta = Fraction(1, 20)
    while beta <= Fraction(chunk.get("beta_max", "2")):
        L = equal_keys(n, beta * Fraction(chunk.get("correlation_max", "1")))
        P, (T, _) = emulated(L, name), inverse(L)
        if any(x is None for row in P for x in row):
            out["emulation.first_nonfinite_beta"] = str(beta)
            break
        error = biggest(plus(P, T, -1))
        if error > biggest(T) / 100 and out["emulation.first_wrong_beta"] is None:
            out["emulation.first_wrong_beta"] = str(beta)
        beta += Fraction(1, 20)
    return out


# ---- chunks ----

def stated_names(case):
    found = {}
    while f"intermediates.{len(found)}.name" in case.stated:
        found[case.stated[f"intermediates.{len(found)}.name"]] = len(found)
    return found


def put(case, out, at, value, fmt):
    """One intermediate: its largest magnitude and whether it fits."""
    out[f"{at}.range.exact"] = str(value)
    out[f"{at}.verdict"] = "fits" if value < edge(fmt) else "breaks"
    limit, reached = 2 ** FORMATS[fmt][0], Fraction(case.stated.get(f"{at}.range.reached.exact", value))
    if value <= limit or reached > limit:  # else only the bound is above: nobody knows
        out[f"{at}.integers_lost"] = value > limit


def chunk_of(case, chunk, slow):
    """Of a chunk with given keys, or of all chunks in a box of betas and correlations."""
    if "keys" in chunk and "log_gates" in chunk:
        return enclosed(chunk)
    found = given(chunk) if "keys" in chunk else box(chunk, slow)
    names, out = stated_names(case), {}
    for name, (value, fmt) in found.pop("values").items():
        if name in names:
            put(case, out, f"intermediates.{names[name]}", value, fmt)
    for name, path, value in found.pop("more", []):
        if name in names:
            out[f"intermediates.{names[name]}.{path}"] = value
    out.update(found)
    return out


def given(chunk):
    """values: name -> (largest magnitude, format); the other members are figures."""
    keys = [[Fraction(x) for x in k] for k in chunk["keys"]]
    betas = [Fraction(b) for b in chunk["betas"]]
    n, d = len(keys), len(keys[0])
    gates = [[Fraction(x) for x in channels(g, d)] for g in chunk.get("gates", [[1] * d] * n)]
    found, values = {}, [[Fraction(x) for x in (v if isinstance(v, list) else [v])] for v in chunk.get("values", [])]
    fmt, wide = chunk.get("inverse_format", "bf16"), chunk.get("wy_format", "bf16")
    for start in range(0, n, chunk["length"]):
        part = range(start, min(n, start + chunk["length"]))
        sums = cumulative([gates[i] for i in part], d)
        rows = [keys[i] for i in part]
        L = [[betas[start + i] * sum(rows[i][a] * rows[j][a] * sums[i][a] / sums[j][a] for a in range(d)) if j < i
              else Fraction(0) for j in range(len(rows))] for i in range(len(rows))]
        T, partial = inverse(L)
        parts = neumann(L)[0] if chunk.get("inverse") == "neumann" else [("L", L)]
        for name, M in [*parts, ("T", T)]:
            note(found, name, biggest(M), fmt)
        note(found, "partial sums", partial, fmt)
        scaled = [[betas[start + i] * rows[i][a] * sums[i][a] for a in range(d)] for i in range(len(rows))]
        note(found, "W", biggest(apply(T, scaled)), wide)
        if values:
            note(found, "U", biggest(apply(T, [[betas[start + i] * x for x in values[start + i]] for i in range(len(rows))])),
                 wide)
    out = {"values": found, "tokens": n}
    if values:
        S = recurrence(keys, betas, gates, values, d)[0]
        out["laws.final_state"] = "[" + ",".join("[" + ",".join(str(x) for x in row) + "]" for row in S) + "]"
    if chunk.get("compare") == "ungated":
        out["laws.ungated_equal"] = recurrence(keys, betas, [[Fraction(1)] * d] * n, values, d)[0] == S
        out["laws.chunk_transition_is_identity"] = all(
            recurrence(keys[s:s + chunk["length"]], betas[s:s + chunk["length"]], gates[s:s + chunk["length"]],
                       [[Fraction(0)]] * chunk["length"], d)[1] == unit(d) for s in range(0, n, chunk["length"]))
    if chunk.get("inverse") == "neumann":
        P = emulated(L, fmt)
        out["emulation.nonfinite"] = sum(x is None for row in P for x in row)
    breaks = any(v >= edge(f) for v, f in found.values()) or out.get("emulation.nonfinite", 0) > 0
    out.update({"verdict": "breaks" if breaks else "fits", "exit": int(breaks)})
    return out


def channels(gate, d):
    """One gate a token stands for all channels."""
    gate = gate if isinstance(gate, list) else [gate]
    return gate * d if len(gate) == 1 else gate


def note(found, name, value, fmt):
    found[name] = (max(value, found.get(name, (Fraction(0), fmt))[0]), fmt)


def cumulative(gates, d):
    out, now = [], [Fraction(1)] * d
    for g in gates:
        now = [a * b for a, b in zip(now, g)]
        out.append(now)
    return out


def apply(T, X):
    return [[sum(T[i][k] * X[k][a] for k in range(i + 1)) for a in range(len(X[0]))] for i in range(len(T))]


def recurrence(keys, betas, gates, values, d):
    """S <- (I - beta k k^T) D S + beta k v^T, and the product of the transitions alone."""
    S, A = [[Fraction(0)] * len(values[0]) for _ in range(d)], unit(d)
    for k, b, g, v in zip(keys, betas, gates, values):
        for M in (S, A):
            for r in range(d):
                M[r] = [g[r] * x for x in M[r]]
            dot = [sum(k[r] * M[r][c] for r in range(d)) for c in range(len(M[0]))]
            for r in range(d):
                M[r] = [x - b * k[r] * y for x, y in zip(M[r], dot)]
        for r in range(d):
            S[r] = [x + b * k[r] * y for x, y in zip(S[r], v)]
    return S, A


def box(chunk, slow):
    """As given, for all keys with the stated bounds; more: (name, path, value) of intermediates."""
    n, fmt = chunk["length"], chunk.get("inverse_format", "bf16")
    b = Fraction(chunk.get("beta_max", "2"))
    x = b * Fraction(chunk.get("correlation_max", "1"))
    out = {"values": {"L": (x, fmt)}, "more": []}
    if chunk.get("inverse") == "neumann":
        for name, M in neumann(equal_keys(n, Fraction(1)))[0]:
            if not name.startswith("product"):
                m = int(name[2:] or 1) if "^" in name else 1
                out["values"][name] = (x**m * math.comb(n - 2, m - 1), fmt)
            elif x == b <= 2:
                m = int(name.split("^")[1]) * 2
                out["values"][name] = (min(sum(x**k * math.comb(n - 2, k - 1) for k in range(1, m)),
                                           bounded(n, x, b, m)), fmt)
                reached = biggest(dict(neumann(equal_keys(n, x))[0])[name])
                out["more"].append((name, "range.reached.exact", str(reached)))
        breaks = any(v >= edge(fmt) for v, _ in out["values"].values())
        grid = on_grid(chunk, slow)
        out.update(grid)
        if breaks or grid.get("emulation.first_wrong_beta") or grid.get("emulation.first_nonfinite_beta"):
            out.update({"verdict": "breaks", "exit": 1})
    if x == b <= 2:
        out["values"]["T"] = (biggest(inverse(equal_keys(n, x))[0]), fmt)
    if "gate_lower_bound" in chunk:
        out.update(anchored(chunk, out["more"]))
    return out


def bounded(n, x, b, m):
    """Largest entry of |T| + |T| x^m N^m with |T_ij| <= min(b, x (1 + x)^(s-1)) below the diagonal."""
    best = Fraction(0)
    for s in range(n):
        total = t_bound(s, x, b)
        total += sum(t_bound(s - r, x, b) * x**m * (math.comb(r - 1, m - 1) if r >= 1 else 0) for r in range(s + 1))
        best = max(best, total)
    return best


def t_bound(s, x, b):
    return Fraction(1) if s == 0 else min(b, x * (1 + x) ** (s - 1))


STEPS = {"start": lambda a: a, "first": lambda a: a - 1, "middle": lambda a: a // 2, "token": lambda a: a}


def anchored(chunk, more):
    """Gate factors exp(+-t g): where they overflow; underflow is judged only where it cannot occur."""
    t = STEPS[chunk.get("anchor_at", "start")](chunk.get("anchor", chunk["length"]))
    g = -Fraction(chunk["gate_lower_bound"])
    breaks = False
    for name, fmt in (("gate up", chunk.get("gate_format", "fp32")), ("key up", chunk.get("factor_format", "bf16"))):
        limit = to_decimal(edge(fmt)).ln()
        bad = to_decimal(t * g) > limit
        breaks |= bad
        more += [(name, "range.exact", f"exp({t * g})"), (name, "verdict", "breaks" if bad else "fits")]
        more += [(name, "log_gate_that_fits", float(limit / t))]
    found = {}
    p, emin, _ = FORMATS[chunk.get("factor_format", "bf16")]
    least = to_decimal(Fraction(2) ** (emin - p)).ln()
    if breaks:
        found.update({"verdict": "breaks", "exit": 1})
    elif to_decimal(-t * g) > least:
        found.update({"verdict": "fits", "exit": 0})
    return found


def enclosed(chunk):
    """Given logarithmic gates: does a factor vanish while its partner is finite?"""
    sums, now = [], 0
    for g in chunk["log_gates"]:
        now += Fraction(g[0] if isinstance(g, list) else g)
        sums.append(now)
    least = to_decimal(min(sums)).exp()
    _, emin, _ = FORMATS["fp32"]
    gone = least < to_decimal(Fraction(2) ** emin) if chunk.get("flush_subnormals") else False
    return {"verdict": "breaks" if gone else "fits", "exit": int(gone)}


# ---- gates ----

def sigmoid(z):
    return 1 / (1 + (-to_decimal(z)).exp())


def gate_value(gates, quantity, logit):
    if quantity == "beta":
        return to_decimal(Fraction(gates.get("beta_scale", 2))) * sigmoid(Fraction(logit))
    if gates["kind"] == "exact":
        return to_decimal(Fraction(gates["alpha"][0]))
    if gates["kind"] == "sigmoid":
        return (to_decimal(Fraction(gates["lower"])) * sigmoid(Fraction(logit))).exp()
    eps = to_decimal(Fraction(gates["eps_log"])).exp() if "eps_log" in gates else to_decimal(Fraction(gates["eps"]))
    r = 2 * sigmoid(Fraction(logit)) - 1
    return (eps + (1 - eps) * abs(r)) * (1 if r >= 0 else -1)


def gates_of(case, gates):
    """The values in the order of the program: betas, then alphas, each in the order of the logits."""
    fmt, out, breaks = gates["format"], {}, False
    order = [("beta", z) for z in gates.get("beta_logit", [])] + [("alpha", z) for z in gates.get("r_logit", [])]
    if gates["kind"] == "exact" and "alpha" in gates:
        order.append(("alpha", None))
    for i, (quantity, logit) in enumerate(order):
        x = gate_value(gates, quantity, logit)
        near = nearest(Fraction(x), fmt)
        ends = [0, Fraction(gates.get("beta_scale", 2))] if quantity == "beta" else [1, -1, 0]
        collapses = near in ends and abs(x - to_decimal(near)) > Decimal(10) ** -60
        breaks |= collapses
        out.update({f"values.{i}.rounded.pattern": pattern(near, fmt), f"values.{i}.rounded_exact": str(near),
                    f"values.{i}.collapses": collapses, f"values.{i}.decimal": float(x)})
    if "compare" in gates:
        breaks |= compared(gates, out)
    elif "steps" in gates and "threshold" in gates:
        x = Fraction(gates["alpha"][0])
        out["values.0.horizon"] = math.ceil(to_decimal(Fraction(gates["threshold"])).ln() / to_decimal(x).ln())
    out.update({"verdict": "breaks" if breaks else "fits", "exit": int(breaks)})
    return out


def compared(gates, out):
    """S <- alpha (1 - beta) S + beta with beta in two formats: the first output that differs."""
    how, breaks = gates["compare"], False
    x = Fraction(gate_value(gates, "beta", gates["beta_logit"][0]))
    for i, alpha in enumerate(how["alpha"]):
        beta = [nearest(x, f) for f in how["formats"]]
        S, first = [Fraction(0)] * 2, None
        for token in range(1, 61):  # later the states change by less than 2^-60, which decides nothing
            S = [Fraction(alpha) * (1 - b) * s + b for b, s in zip(beta, S)]
            if nearest(S[0], how["output"]) != nearest(S[1], how["output"]):
                first = token
                break
        out[f"comparisons.{i}.first_different_token"] = first
        breaks |= first is not None
    return breaks


# ---- inner products ----

def dot_of(dot):
    a, b = [exact(x) for x in dot["a"]], [exact(x) for x in dot["b"]]
    terms, model = [exact(dot["init"]), *(x * y for x, y in zip(a, b))], dot["model"]
    total, left = sum(terms), terms[0]
    for t in terms[1:]:
        left = nearest(left + nearest(t, "fp32"), "fp32")
    if model["order"] == "blocked" and len(a) <= model["width"] and model.get("carry_inside"):
        unit_ = Fraction(2) ** (math.floor(math.log2(max(abs(t) for t in terms))) - model["keep_bits"])
        got = nearest(sum(int(t / unit_) * unit_ for t in terms), "fp32", model.get("rounding", "rne"))
    elif model["order"] == "sequential":
        got = left
    else:
        raise Skip("other models of inner products")
    right = nearest(total, "fp32")
    return {"model.pattern": pattern(got, "fp32"), "rounded.pattern": pattern(right, "fp32"), "exact.exact": str(total),
            "left_to_right.pattern": pattern(left, "fp32"), "verdict": "fits" if got == right else "breaks",
            "exit": int(got != right)}


def range_of(case, slow):
    doc = case.document()
    if "dot" in doc:
        return dot_of(doc["dot"])
    if "gates" in doc:
        return gates_of(case, doc["gates"])
    return chunk_of(case, doc["chunk"], slow)
