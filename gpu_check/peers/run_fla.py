#!/usr/bin/env python3
"""Runs public KDA kernels (flash-linear-attention) on our inputs, or times them.

    run_fla.py run IN.safetensors OUT.safetensors [IN OUT ...]
        adds o.chunk_kda, o.fused_recurrent_kda, final_state.* to a dump of `ckda-gpu dump`;
        the result is what `ckda audit --trace OUT.safetensors` judges
    run_fla.py time [--repeats N]
        one JSON line a layout: milliseconds of a forward pass, 16 heads, d = 128, 32768 tokens

Needs torch, triton, safetensors and fla-core (see README.md); nothing of the project does.
Signed gates are absorbed: with P_t the running product of signs, the kernel gets P q, P k and
log|alpha|, and the final state is P_T times what it returns.
"""
import argparse
import json
import os
import statistics
import sys

import torch
from fla.ops.kda import chunk_kda, fused_recurrent_kda
from safetensors import safe_open
from safetensors.torch import save_file

LAYOUTS = [(16, 2048), (8, 4096), (4, 8192), (2, 16384)]
HEADS, DIM = 16, 128


def kernels(q, k, v, g, beta, scale, initial):
    """(name, function) of each kernel, called as the library's own tests do."""
    common = dict(scale=scale, initial_state=initial, output_final_state=True)
    yield "chunk_kda", lambda: chunk_kda(q=q, k=k, v=v, g=g, beta=beta, safe_gate=True,
                                         lower_bound=-5.0, **common)
    yield "fused_recurrent_kda", lambda: fused_recurrent_kda(q=q, k=k, v=v, g=g, beta=beta,
                                                             **common)


def absorb(q, k, alpha):
    """Signs of alpha into q and k: returns P q, P k, log|alpha|, P_T."""
    sign = torch.where(alpha < 0, -1.0, 1.0).to(torch.float32)
    parity = torch.cumprod(sign, dim=1)
    absorbed = [(x.float() * parity).to(x.dtype) for x in (q, k)]
    return *absorbed, torch.log(alpha.float().abs()), parity[:, -1]


def run(source, target):
    with safe_open(source, framework="pt", device="cuda") as f:
        tensors = {name: f.get_tensor(name) for name in f.keys()}
        metadata = dict(f.metadata() or {})
    q, k, v, beta = (tensors[n] for n in ("q", "k", "v", "beta"))
    parity = None
    if "alpha" in tensors:
        q, k, g, parity = absorb(q, k, tensors["alpha"])
    else:
        g = tensors["g"].float()
    scale = float(metadata.get("scale", q.shape[-1] ** -0.5))
    for name, call in kernels(q, k, v, g, beta, scale, tensors.get("initial_state")):
        o, state = call()
        if parity is not None:
            state = state * parity[..., None]
        tensors[f"o.{name}"], tensors[f"final_state.{name}"] = o, state.float()
    metadata["peers"] = f"torch {torch.__version__}, {torch.cuda.get_device_name()}"
    tensors = {n: t.contiguous().cpu() for n, t in tensors.items()}
    part = target + ".part"
    try:
        save_file(tensors, part, metadata=metadata)
        os.replace(part, target)  # whoever waits for the file sees all of it
    finally:
        if os.path.exists(part):
            os.remove(part)


def inputs(batch, tokens, generator):
    """q, k, v, log gates and beta like those of a trained layer."""
    shape = (batch, tokens, HEADS, DIM)
    normal = lambda s: torch.randn(s, device="cuda", generator=generator)
    unit = lambda: torch.nn.functional.normalize(normal(shape), dim=-1).bfloat16()
    bias = -7 + 6 * torch.rand((HEADS, DIM), device="cuda", generator=generator)
    a_log = 0.1 * normal((HEADS, 1))
    g = -5 * torch.sigmoid(torch.exp(a_log) * (normal(shape) + bias))
    beta = torch.sigmoid(normal((batch, tokens, HEADS))).bfloat16()
    return unit(), unit(), normal(shape).bfloat16(), g, beta


def milliseconds(call, repeats):
    times = []
    for i in range(repeats + 6):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        call()
        end.record()
        end.synchronize()
        if i >= 6:
            times.append(begin.elapsed_time(end))
    return statistics.median(times)


def time(repeats):
    generator = torch.Generator(device="cuda").manual_seed(1)
    for batch, tokens in LAYOUTS:
        row = {"layout": f"{batch}x{tokens}"}
        for name, call in kernels(*inputs(batch, tokens, generator), DIM ** -0.5, None):
            with torch.no_grad():
                row[name] = round(milliseconds(call, repeats), 4)
        print(json.dumps(row), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sub = parser.add_subparsers(dest="command", required=True)
    p = sub.add_parser("run")
    p.add_argument("files", nargs="+", metavar="IN OUT")
    p = sub.add_parser("time")
    p.add_argument("--repeats", type=int, default=40)
    args = parser.parse_args()
    if args.command == "run":
        if len(args.files) % 2:
            parser.error("run: expected pairs of files")
        for source, target in zip(args.files[::2], args.files[1::2]):
            run(source, target)
    else:
        time(args.repeats)


if __name__ == "__main__":
    sys.exit(main())
