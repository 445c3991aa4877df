#!/usr/bin/env python3
"""Writes gpu_check/REPORT.md and its pictures from data/gpu.

    python3 gpu_check/report.py BUILD/ckda

audit.json   what `ckda-gpu audit --json` wrote: 4096 words of 65536 tokens
errors.jsonl one object a line: kind, T, kernel, o, alone, state: relative errors of a kernel
             on a dump of `ckda-gpu dump`, as `ckda audit --trace --json` judged it
Needs gnuplot.  (Both files lie in data/gpu.)  The predictions beside the measurements come from `ckda audit`, which needs no
GPU: the norm law, the drift of the fp32 recurrence on the same rounded keys, the guaranteed
steps.
"""
import collections
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = {"decay": "decaying gates, beta in (0, 1)", "signed": "signed gates, beta in (0, 2)",
         "reflect": "gates ±1, beta = 2/|k|²: every transition orthogonal"}
ORDER = ["chunk_kda", "chunk_plain", "chunk_factors", "chunk_honest", "fused_recurrent_kda", "recurrent"]


# ---- group words ---------------------------------------------------------------------------

SHOWN = [("plain", "2", 0), ("plain", "2/k^2", 0), ("factors", "2/k^2", 0), ("honest", "2", 0), ("honest", "2/k^2", 0),
         ("recurrent", "2/k^2", 0), ("honest", "2/k^2", 16)]  # kernel, beta, snap

AT = [64, 1024, 16384, 65536]
WHY = {"plain": "bf16 terms of the solve and of the state: a random walk of its own",
       "factors": "bf16 state in k S; a random walk of its own",
       "honest": "the rounded keys", "recurrent": "the rounded keys"}


def of_audit(document):
    """The rows of SHOWN: A5 through a kernel of ckda-gpu audit."""
    found = {}
    for row in document["rows"]:
        kernel = row["kernel"]
        if row["system"] != "A5" or kernel["name"] == "words":
            continue
        beta = "2" if row["arithmetic"]["beta_rule"] == "ideal" else "2/k^2"
        found[kernel["precision"] or kernel["name"], beta, kernel["snap"] or 0] = row
    for kernel, beta, snap in SHOWN:
        row = found[kernel, beta, snap]
        drift = {str(d["t"]): d["median"] for d in row["drift"]}
        yield {"kernel": kernel, "beta": beta, "snap": f"1/{snap}" if snap else "", "words": row["words"],
               "wrong": row["first_wrong"]["failed"], "first": row["first_wrong"]["min"], **drift}


def prediction(ckda, system, rule):
    """What the audit says of the fp32 recurrence with bf16 keys, without a GPU."""
    done = subprocess.run([ckda, "audit", system, "--keys", "bf16", "--beta-rule", rule, "--words", "200", "--length",
                           str(AT[-1]), "--at", ",".join(map(str, AT)), "--json"], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode not in (0, 1):  # 1 only says that some word decodes wrongly
        sys.exit(f"{ckda} audit {system}: exit code {done.returncode}")
    return json.loads(done.stdout)


def law(p, t):
    """Drift by the norm law alone: sqrt(n) |(1 + rate)^t - 1|, n = 4."""
    return 2 * abs(math.expm1(t * math.log1p(p["predicted"]["norm_rate"])))


def number(x):
    return f"{float(x):.2g}"


def why(row):
    if row["snap"]:
        return f"snap to {row['snap']} after each chunk: constant"
    if row["beta"] == "2" and row["kernel"] == "honest":
        return "the rounded keys: the norm decays by the law, the direction survives"
    return WHY[row["kernel"]]


def word_table(rows, predicted):
    yield ("| kernel | beta | snap | " + " | ".join(f"drift at {t}" for t in AT)
           + " | wrong words | first | what limits it |")
    yield "|---|---|---|" + "---|" * len(AT) + "---|---|---|"
    for row in rows:
        yield (f"| {row['kernel']} | {row['beta']} | {row['snap'] or '—'} | " + " | ".join(number(row[str(t)]) for t in AT)
               + f" | {row['wrong']} of {row['words']} | {row['first'] or '—'} | {why(row)} |")
    for beta, p in predicted.items():
        drift = {d["t"]: d["median"] for d in p["drift"]}
        yield (f"| *predicted*, fp32 recurrence | {beta} | — | " + " | ".join(number(drift[t]) for t in AT)
               + f" | {p['first_wrong']['failed']} of {p['words']} | {p['first_wrong']['min'] or '—'} | "
               f"norm law alone {number(law(p, AT[-1]))} at {AT[-1]}; every word right for {p['guaranteed_steps']} tokens |")


# ---- tensors ---------------------------------------------------------------------------------

def error_table(lines, key):
    table = collections.defaultdict(dict)
    lengths = sorted({x["T"] for x in lines})
    for x in lines:
        table[x["kind"], x["kernel"]][x["T"]] = x[key]
    yield "| inputs | kernel | " + " | ".join(f"T = {t}" for t in lengths) + " |"
    yield "|---|---|" + "---|" * len(lengths)
    for kind in KINDS:
        for kernel in ORDER:
            if (kind, kernel) in table:
                cells = (table[kind, kernel].get(t) for t in lengths)
                yield f"| {kind} | `{kernel}` | " + " | ".join("—" if x is None else f"{x:.3g}" for x in cells) + " |"


def worse(lines):
    """Where a kernel of ours is worse than chunk_kda: kernel -> places."""
    peer = {(x["kind"], x["T"]): x for x in lines if x["kernel"] == "chunk_kda"}
    found = {f"chunk_{name}": [] for name in ("honest", "factors", "plain")}
    for x in lines:
        p = peer.get((x["kind"], x["T"]))
        for key in ("o", "state") if p and x["kernel"] in found else ():
            if x[key] > p[key]:
                found[x["kernel"]].append(f"{key} on {x['kind']}, T = {x['T']} ({x[key]:.3g} against {p[key]:.3g})")
    return found


# ---- pictures --------------------------------------------------------------------------------

def plot(target, curves, labels, extra=""):
    """curves: [(title, [(x, y)])]."""
    with tempfile.TemporaryDirectory() as name:
        parts = []
        for i, (title, points) in enumerate(curves):
            data = pathlib.Path(name) / f"{i}.dat"
            data.write_text("".join(f"{x} {y}\n" for x, y in points if y > 0), encoding="utf-8")
            title = title.replace("'", "''")
            style = "points pt 6 ps 1.4 lw 2 lc 'black'" if title.startswith("predicted") else "linespoints lw 2 pt 7 ps 0.5"
            parts.append(f"'{data}' with {style} title '{title}'")
        script = (f"set terminal svg size 760,440 noenhanced font 'sans-serif,13' background '#ffffff'\nset output '{target}'\n"
                  f"set logscale xy\nset format y '%.0e'\nset grid\nset key outside right\n"
                  f"set xlabel '{labels[0]}'\nset ylabel '{labels[1]}'\n{extra}\nplot " + ", ".join(parts) + "\n")
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


def pictures(rows, predicted, lines):
    images = ROOT / "docs/img"
    curves = [(f"{row['kernel']}, beta {row['beta']}" + (f", snap {row['snap']}" if row["snap"] else ""),
               [(t, float(row[str(t)])) for t in AT]) for row in rows]
    curves += [(f"predicted, beta {beta}", [(d["t"], d["median"]) for d in p["drift"]]) for beta, p in predicted.items()]
    half = next(iter(predicted.values()))["margin"] / 2
    plot(images / "gpu_drift.svg", curves, ("tokens", "drift of A5 (median of the words)"),
         f"set arrow from graph 0, first {half} to graph 1, first {half} nohead dt 2\n")
    curves = []
    for kernel in ORDER:
        points = sorted((x["T"], x["state"]) for x in lines if x["kind"] == "reflect" and x["kernel"] == kernel)
        if points:
            curves.append((kernel, points))
    plot(images / "gpu_error.svg", curves, ("tokens", "relative error of the final state"))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    data = ROOT / "data/gpu"
    rows = list(of_audit(json.loads((data / "audit.json").read_text(encoding="utf-8"))))
    lines = [json.loads(x) for x in (data / "errors.jsonl").read_text(encoding="utf-8").splitlines()]
    predicted = {"2": prediction(sys.argv[1], "A5", "ideal"), "2/k^2": prediction(sys.argv[1], "A5", "from-key")}
    pictures(rows, predicted, lines)
    found = worse(lines)
    text = ["# What tracks what, for how long, and why", "",
            "Written by `gpu_check/report.py` from the measurements in [data/gpu](../data/gpu) (one H200; how: [RESULTS.md](RESULTS.md)) and "
            "from what `ckda audit` predicts without a GPU.", "",
            "## A5 through the kernels", "",
            "4096 random words a row, bf16 keys, decoded every 64 tokens. Drift is the median Frobenius distance from the exact state; beyond half the "
            "margin, .618, a decode can fail.", "",
            *word_table(rows, predicted), "", "![drift of A5](../docs/img/gpu_drift.svg)", "",
            "## Errors against the enclosed answer", "",
            "d_k = 128, d_v = 16, one head; inputs of `ckda-gpu dump`, every kernel on the same tensors, judged by `ckda audit --trace`. "
            + "; ".join(f"*{k}*: {v}" for k, v in KINDS.items()) + ".", "", "Outputs (rounding the exact output to bf16 alone costs .0017):", "",
            *error_table(lines, "o"), "", "Final state:", "", *error_table(lines, "state"), "",
            "![error of the final state, reflections](../docs/img/gpu_error.svg)", "",
            "Worse than `chunk_kda`:", "", *(f"- `{kernel}`: {'; '.join(places) or 'nowhere'}." for kernel, places in found.items()), ""]
    (ROOT / "gpu_check/REPORT.md").write_text("\n".join(text), encoding="utf-8")


if __name__ == "__main__":
    main()
