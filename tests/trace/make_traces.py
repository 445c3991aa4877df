"""Traces written by hand: .npy and .safetensors with nothing but struct, and kernels in
emulated fp32 that follow the stated rule or another one.

A tensor is (dtype, shape, flat list of numbers).  Kernels work on one batch and one head;
inputs are dicts of lists: q, k, alpha [T][K], v [T][V], beta [T], initial [K][V].
"""
import json
import random
import struct
from fractions import Fraction

CODES = {"F16": "e", "F32": "f", "F64": "d", "I8": "b", "I16": "h", "I32": "i", "I64": "q",
         "U8": "B", "BOOL": "?"}
NUMPY = {"F16": "<f2", "F32": "<f4", "F64": "<f8", "I8": "|i1", "I16": "<i2", "I32": "<i4",
         "I64": "<i8", "U8": "|u1", "BOOL": "|b1", "BF16": "|V2"}


# ---- numbers --------------------------------------------------------------------------

def f32(x):
    """Rounded to fp32, to nearest (through a double: harmless for sums and products of
    two fp32 numbers, of which a double is at least 2 * 24 + 2 bits wide)."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bf16_bits(x):
    """Bits of x rounded to bf16 once; x a Fraction or a float."""
    if isinstance(x, float) and (x != x or x in (float("inf"), float("-inf"))):
        return 0x7fc0 if x != x else 0x7f80 if x > 0 else 0xff80
    x = Fraction(x)
    sign, m = (0x8000, -x) if x < 0 else (0, x)
    if m == 0:
        return sign
    e = max(-126, m.numerator.bit_length() - m.denominator.bit_length() - 1)
    while m >= Fraction(2) ** (e + 1):       # at most twice
        e += 1
    n = m / Fraction(2) ** (e - 7)           # the unit of the binade
    low = n.numerator // n.denominator
    rest = n - low
    low += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1)
    return sign | (low + (e + 126) * 128)    # a carry runs into the exponent


def bf16(x):
    return struct.unpack("<f", struct.pack("<I", bf16_bits(x) << 16))[0]


# ---- files ----------------------------------------------------------------------------

def raw(dtype, numbers):
    if dtype == "BF16":
        return b"".join(struct.pack("<H", bf16_bits(x)) for x in numbers)
    return struct.pack(f"<{len(numbers)}{CODES[dtype]}", *numbers)


def write_safetensors(path, tensors, meta=None):
    header, blobs, at = {}, [], 0
    if meta:
        header["__metadata__"] = meta
    for name, (dtype, shape, numbers) in tensors.items():
        data = raw(dtype, numbers)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        blobs.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def write_npy(path, tensor):
    dtype, shape, numbers = tensor
    dims = "(" + "".join(f"{n}, " for n in shape) + ")"
    text = f"{{'descr': '{NUMPY[dtype]}', 'fortran_order': False, 'shape': {dims}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()
                + raw(dtype, numbers))


def flat(x):
    return [z for y in x for z in flat(y)] if isinstance(x, list) else [x]


def inputs_as_tensors(x, beta="F32", alpha="F32"):
    """One batch, one head, with the names of the field."""
    T, K, V = len(x["k"]), len(x["k"][0]), len(x["v"][0])
    t = {"q": ("BF16", [1, T, 1, K], flat(x["q"])), "k": ("BF16", [1, T, 1, K], flat(x["k"])),
         "v": ("BF16", [1, T, 1, V], flat(x["v"])), "beta": (beta, [1, T, 1], x["beta"]),
         "alpha": (alpha, [1, T, 1, K], flat(x["alpha"]))}
    if "initial" in x:
        t["initial_state"] = ("F32", [1, 1, K, V], flat(x["initial"]))
    return t


def add_kernel(tensors, x, name, outputs, final=None):
    T, K, V = len(x["k"]), len(x["k"][0]), len(x["v"][0])
    tensors["o." + name] = ("BF16", [1, T, 1, V], flat(outputs))
    if final is not None:
        tensors["final_state." + name] = ("F32", [1, 1, K, V], flat(final))


# ---- kernels --------------------------------------------------------------------------

def random_inputs(seed, T, K, V):
    r = random.Random(seed)
    unit = 1.0 / K ** 0.5
    return {"q": [[bf16(r.gauss(0, unit)) for _ in range(K)] for _ in range(T)],
            "k": [[bf16(r.gauss(0, unit)) for _ in range(K)] for _ in range(T)],
            "v": [[bf16(r.gauss(0, 1)) for _ in range(V)] for _ in range(T)],
            "beta": [f32(2 * r.random()) for _ in range(T)],
            "alpha": [[f32(r.choice((-1, 1)) * (0.5 + 0.5 * r.random())) for _ in range(K)]
                      for _ in range(T)]}


def fp32_kernel(x, scale, order="stated", beta_rounded=False):
    """(outputs, final state): every operation rounded to fp32.  order: stated, or swapped
    (gate after the delta step), or old-error (the error of the state before its gate)."""
    T, K, V = len(x["k"]), len(x["k"][0]), len(x["v"][0])
    h = [list(row) for row in x.get("initial", [[0.0] * V for _ in range(K)])]
    outputs = []
    for t in range(T):
        k, a = x["k"][t], x["alpha"][t]
        beta = bf16(x["beta"][t]) if beta_rounded else x["beta"][t]
        out = []
        for c in range(V):
            old = [h[i][c] for i in range(K)]
            d = [f32(a[i] * old[i]) for i in range(K)]
            p = 0.0
            for i in range(K):
                p = f32(p + f32(k[i] * (d[i] if order == "stated" else old[i])))
            if order == "swapped":
                w, write = f32(beta * p), f32(beta * x["v"][t][c])
                new = [f32(f32(a[i] * f32(old[i] - f32(k[i] * w))) + f32(k[i] * write))
                       for i in range(K)]
            else:
                w = f32(beta * f32(x["v"][t][c] - p))
                new = [f32(d[i] + f32(k[i] * w)) for i in range(K)]
            s = 0.0
            for i in range(K):
                h[i][c] = new[i]
                s = f32(s + f32(x["q"][t][i] * new[i]))
            out.append(f32(scale * s))
        outputs.append(out)
    return outputs, h


def exact_kernel(x, scale, chunk=0):
    """Outputs and final state as Fractions; chunk > 0: through the chunk form, in which the
    writes u of a chunk solve a triangular system and only its end reaches the state."""
    T, K, V = len(x["k"]), len(x["k"][0]), len(x["v"][0])
    q, k, v, alpha = ([[Fraction(z) for z in row] for row in x[n]] for n in ("q", "k", "v", "alpha"))
    beta = [Fraction(b) for b in x["beta"]]
    h = [[Fraction(z) for z in row] for row in x.get("initial", [[0] * V for _ in range(K)])]
    outputs, step = [], chunk if chunk > 0 else 1
    for t0 in range(0, T, step):
        n = min(step, T - t0)
        decay = []                     # of each channel since the beginning of the chunk
        for i in range(n):
            last = decay[-1] if decay else [Fraction(1)] * K
            decay.append([last[c] * alpha[t0 + i][c] for c in range(K)])
        u = []
        for i in range(n):
            row = [v[t0 + i][c] - sum(k[t0 + i][l] * decay[i][l] * h[l][c] for l in range(K))
                   for c in range(V)]
            for j in range(i):
                m = sum(k[t0 + i][l] * decay[i][l] / decay[j][l] * k[t0 + j][l] for l in range(K))
                row = [row[c] - m * u[j][c] for c in range(V)]
            u.append([beta[t0 + i] * z for z in row])
            w = [sum(q[t0 + i][l] * decay[i][l] * h[l][c] for l in range(K)) for c in range(V)]
            for j in range(i + 1):
                m = sum(q[t0 + i][l] * decay[i][l] / decay[j][l] * k[t0 + j][l] for l in range(K))
                w = [w[c] + m * u[j][c] for c in range(V)]
            outputs.append([Fraction(scale) * z for z in w])
        h = [[decay[-1][l] * h[l][c]
              + sum(decay[-1][l] / decay[j][l] * k[t0 + j][l] * u[j][c] for j in range(n))
              for c in range(V)] for l in range(K)]
    return outputs, h
