#!/usr/bin/env python3
"""Cuts a small piece out of a trace (docs/traces.md), for the tests.

usage: cut_trace.py IN.safetensors OUT.safetensors [--tokens N] [--batch N] [--heads N]
                    [--keys N] [--values N] [--only KERNEL]

Keeps the first N of each axis.  Final states are dropped when tokens are cut off: they
belong to the end.  --keys is right only if the other key coordinates are zero.
"""
import argparse
import json
import struct
import sys

SIZE = {"BF16": 2, "F16": 2, "F32": 4, "F64": 8, "I8": 1, "I16": 2, "I32": 4, "I64": 8,
        "U8": 1, "BOOL": 1}


def read(path):
    data = open(path, "rb").read()
    (n,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + n])
    meta = header.pop("__metadata__", {})
    tensors = {}
    for name, d in header.items():
        begin, end = d["data_offsets"]
        tensors[name] = (d["dtype"], d["shape"], data[8 + n + begin:8 + n + end])
    return meta, tensors


def write(path, meta, tensors):
    order = sorted(tensors, key=lambda name: (-SIZE[tensors[name][0]], name))
    header, at = {"__metadata__": meta}, 0
    for name in order:
        dtype, shape, data = tensors[name]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for name in order:
            f.write(tensors[name][2])


def cut(tensor, keep):
    """The first keep[i] entries of axis i (None: all)."""
    dtype, shape, data = tensor
    parts, inner = [data], len(data)
    for n, want in zip(shape, keep):
        inner //= n
        want = n if want is None else min(n, want)
        parts = [p[i * inner:(i + 1) * inner] for p in parts for i in range(want)]
    return dtype, [n if w is None else min(n, w) for n, w in zip(shape, keep)], b"".join(parts)


def axes(name, shape, headless, a):
    """What to keep of each axis."""
    head = [] if headless else [a.heads]
    stem = name.split(".")[0]
    token = [a.batch, a.tokens, *head]
    if stem in ("q", "k", "q_raw", "k_raw", "g", "alpha", "gate_logit"):
        return (token + [a.keys])[:len(shape)]
    if stem == "v":
        return token + [a.values]
    if stem == "o":
        return token + ([None, a.values] if len(shape) == len(token) + 2 else [a.values])
    if stem in ("beta", "beta_logit"):
        return token
    if stem in ("final_state", "initial_state"):
        return [a.batch, *head, a.keys, a.values]
    if stem in ("letters", "element"):
        return [a.batch, a.tokens]
    if stem == "A_log":
        return [a.heads]
    if stem == "dt_bias":
        return [a.heads, a.keys]
    return [None] * len(shape)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("source")
    p.add_argument("target")
    for axis in ("tokens", "batch", "heads", "keys", "values"):
        p.add_argument("--" + axis, type=int)
    p.add_argument("--only")
    a = p.parse_args()
    meta, tensors = read(a.source)
    key = tensors.get("k") or tensors["k_raw"]
    headless, length = len(key[1]) == 3, key[1][1]
    kept = {}
    for name, tensor in tensors.items():
        stem, _, kernel = name.partition(".")
        if stem == "final_state" and a.tokens is not None and a.tokens < length:
            continue
        if stem in ("o", "final_state") and a.only is not None and kernel != a.only:
            continue
        kept[name] = cut(tensor, axes(name, tensor[1], headless, a))
    said = [f"{axis} {getattr(a, axis)}" for axis in ("batch", "tokens", "heads", "keys", "values")
            if getattr(a, axis) is not None]
    meta["cut"] = "the first " + ", ".join(said)
    write(a.target, meta, kept)
    return 0


if __name__ == "__main__":
    sys.exit(main())
