#!/usr/bin/env python3
"""Judge a kernel of one's own: run it in NumPy, write what it was given and what it gave, ask ckda.

Two kernels on the same inputs: `good` follows the rule in fp32, `late` applies the gate after
the delta step.  Both look plausible; the exact answer tells them apart and names the mistake."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np


def kernel(q, k, v, alpha, beta, gate_first):
    tokens, size = k.shape
    h = np.zeros((size, v.shape[1]), np.float32)
    out = np.zeros_like(v)
    for t in range(tokens):
        if gate_first:
            h = alpha[t][:, None] * h
        h = h + beta[t] * np.outer(k[t], v[t] - k[t] @ h)
        if not gate_first:
            h = alpha[t][:, None] * h
        out[t] = h.T @ q[t]
    return out


def inputs(tokens, size):
    random = np.random.default_rng(1)
    q, k, v = (random.standard_normal((tokens, size)).astype(np.float32) for _ in range(3))
    k /= np.linalg.norm(k, axis=1, keepdims=True)
    alpha = random.uniform(-1, 1, (tokens, size)).astype(np.float32)
    beta = random.uniform(0, 2, tokens).astype(np.float32)
    return q, k, v, alpha, beta


def main():
    q, k, v, alpha, beta = inputs(24, 4)
    tensors = {"q": q, "k": k, "v": v, "alpha": alpha, "beta": beta,
               "o.good": kernel(q, k, v, alpha, beta, True), "o.late": kernel(q, k, v, alpha, beta, False)}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for tensor, numbers in tensors.items():
            np.save(folder / f"{tensor}.npy", numbers[None])  # one batch, no head axis
        (folder / "metadata.json").write_text(json.dumps({"scale": "1"}))
        done = subprocess.run(["ckda", "audit", "--trace", name, "--json"], stdout=subprocess.PIPE, check=False)
    trace = json.loads(done.stdout)["traces"][0]
    for k in trace["kernels"]:
        known = [rule["id"] for rule in (k["diagnosis"] or {"rules": []})["rules"] if rule["match"] == "yes"]
        print(f'{k["name"]}: {k["verdict"]}', "-- is really", known[0] if known else "the stated rule")
    print("nearer to the exact answer:", trace["pairs"][0]["nearer_outputs"])
    print("exit code", done.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
