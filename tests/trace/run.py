#!/usr/bin/env python3
"""Runs `ckda audit --trace` on traces made here and on data/traces; prints TAP.

usage: run.py PROGRAM
"""
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_traces as mt  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parents[2] / "data/traces"
PROGRAM = sys.argv[1]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="ckda-traces-"))


class Wrong(Exception):
    pass


def expect(what, got, want):
    if got != want:
        raise Wrong(f"{what}: got {got!r}, expected {want!r}")


def near(what, got, want, digits):
    if not math.isclose(got, want, rel_tol=0.5 * 10 ** (1 - digits)):
        raise Wrong(f"{what}: got {got}, expected {want}")


def ckda(*paths, json_too=True):
    args = [PROGRAM, "audit"] + [w for p in paths for w in ("--trace", str(p))]
    done = subprocess.run(args + (["--json"] if json_too else []), capture_output=True,
                          text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def judge(code, *paths):
    """The traces of the document, after the exit code was compared."""
    got, out, err = ckda(*paths)
    if got != code:
        raise Wrong(f"exit code {got}, expected {code}: {err.strip()[:300]}")
    document = json.loads(out)
    expect("schema", document["schema"], "ckda.audit/1")
    return document["traces"]


def kernels(trace):
    return {k["name"]: k for k in trace["kernels"]}


def save(name, tensors, meta=None):
    path = FOLDER / (name + ".safetensors")
    mt.write_safetensors(path, tensors, meta)
    return path


# ---- kernels with a fault -------------------------------------------------------------

def wrong_and_right(order="stated", beta_rounded=False):
    x = mt.random_inputs(7, 32, 8, 3)
    tensors = mt.inputs_as_tensors(x)
    mt.add_kernel(tensors, x, "right", *mt.fp32_kernel(x, 0.5))
    mt.add_kernel(tensors, x, "wrong", *mt.fp32_kernel(x, 0.5, order, beta_rounded))
    path = save(f"{order}-{beta_rounded}", tensors, {"scale": "0.5"})
    trace = judge(1, path)[0]
    k = kernels(trace)
    expect("right kernel", k["right"]["verdict"], "within")
    expect("right kernel, diagnosis", k["right"]["diagnosis"], None)
    expect("wrong kernel", k["wrong"]["verdict"], "beyond")
    pair = trace["pairs"][0]
    expect("nearer outputs", pair["nearer_outputs"], "right")
    expect("nearer final state", pair["nearer_final_state"], "right")
    expect("first beyond", pair["first_beyond"], "wrong")
    return k["wrong"], x


def swapped_order():
    wrong, _ = wrong_and_right("swapped")
    expect("rule", wrong["diagnosis"]["rule"], "order-gate-last")
    expect("token", wrong["o"]["first_beyond"]["token"], 2)  # the first state is 0


def error_of_the_old_state():
    wrong, _ = wrong_and_right("old-error")
    expect("rule", wrong["diagnosis"]["rule"], "order-old-error")
    expect("token", wrong["o"]["first_beyond"]["token"], 2)


def beta_in_bf16():
    wrong, x = wrong_and_right(beta_rounded=True)
    expect("rule", wrong["diagnosis"]["rule"], "beta-bf16")
    exact, _ = mt.exact_kernel(x, Fraction(1, 2))
    rounded = [[mt.bf16(z) for z in row] for row in exact]
    got, _ = mt.fp32_kernel(x, 0.5, beta_rounded=True)
    first = next(t for t in range(32) if [mt.bf16(z) for z in got[t]] != rounded[t])
    expect("first misrounded token", wrong["o"]["first_misrounded"]["token"], first + 1)


# ---- public reports -------------------------------------------------------------------

def slow_decay_in_chunks():
    """Four equal keys, decay 599/600: recurrence and chunks of 16, 32, 64 agree."""
    T = 64
    x = {"q": [[1.0] * 4] * T, "k": [[0.5] * 4] * T, "v": [[1.0]] * T, "beta": [0.5] * T,
         "alpha": [[599 / 600] * 4] * T}
    tensors = mt.inputs_as_tensors(x, alpha="F64")
    for chunk in (0, 16, 32, 64):
        o, final = mt.exact_kernel(x, 1, chunk)
        mt.add_kernel(tensors, x, f"chunk{chunk}", o,
                      [[mt.f32(float(z)) for z in row] for row in final])
    for k in judge(0, save("decay", tensors, {"scale": "1"}))[0]["kernels"]:
        expect(k["name"], k["o"]["tokens"]["rounding_only"], T)
        if k["final_state"]["relative_error"] > 2 ** -24:
            raise Wrong("final state is not the exact one rounded")
    broken = [list(row) for row in o]
    broken[16] = [float("nan")]
    mt.add_kernel(tensors, x, "chunk64", broken)
    k = kernels(judge(1, save("nan", tensors, {"scale": "1"}))[0])["chunk64"]
    expect("first NaN", k["o"]["first_not_finite"]["token"], 17)
    expect("chunk", k["o"]["chunks"][0]["first_jump"], 1)


def sigmoid_of_a_half(decay, first):
    """beta 0.62109375 in place of 0.62245935: which token's bf16 output differs first."""
    T = 1000
    good, bad = mt.f32(0.62245935), 0.62109375
    expect("bf16(beta)", mt.bf16(good), bad)
    x = {"q": [[1.0]] * T, "k": [[1.0]] * T, "v": [[1.0]] * T, "beta": [good] * T,
         "alpha": [[decay]] * T}

    def states(beta):
        out, h = [], Fraction(0)
        a, b = Fraction(decay), Fraction(beta)
        for _ in range(T):
            h = (1 - b) * a * h + b
            # beyond 4000 bits the tail is far below any rounding that matters here
            h = Fraction(h.numerator * 2 ** 4000 // h.denominator, 2 ** 4000)
            out.append(h)
        return out
    exact, other = states(good), states(bad)
    tensors = mt.inputs_as_tensors(x)
    for name, h in (("bf16_beta", other), ("fp32_beta", exact)):
        mt.add_kernel(tensors, x, name, [[z] for z in h], [[mt.f32(float(h[-1]))]])
    trace = judge(1, save(f"beta{decay}", tensors, {"scale": "1"}))[0]
    k = kernels(trace)
    expect("fp32 beta", k["fp32_beta"]["verdict"], "within")
    expect("bf16 beta", k["bf16_beta"]["verdict"], "beyond")
    expect("rule", k["bf16_beta"]["diagnosis"]["rule"], "beta-bf16")
    differ = [t + 1 for t in range(T) if mt.bf16(exact[t]) != mt.bf16(other[t])]
    expect("tokens that differ", differ[:1], [first] if first else [])
    got = trace["pairs"][0]["first_difference"]
    expect("first differing token", got and got["token"], first)
    got = k["bf16_beta"]["o"]["first_misrounded"]
    expect("first misrounded token", got and got["token"], first)
    expect("final state", k["bf16_beta"]["final_state"]["class"],
           "within" if decay == 1 else "beyond")  # without decay both end at 1


def slow_gate_lost():
    """a = 12499/12500 becomes 1 in bf16: the state never decays."""
    T, a = 4096, 12499 / 12500
    expect("bf16(a)", mt.bf16(a), 1.0)
    x = {"q": [[1.0]] * T, "k": [[1.0]] * T, "v": [[0.0]] * T, "beta": [0.0] * T,
         "alpha": [[a]] * T, "initial": [[1.0]]}
    exact, h = [], 1.0
    for _ in range(T):
        h *= a
        exact.append([h])
    near("a^4096", h, 0.720584, 6)
    tensors = mt.inputs_as_tensors(x, alpha="F64")
    mt.add_kernel(tensors, x, "bf16_gate", [[1.0]] * T, [[1.0]])
    mt.add_kernel(tensors, x, "fp32_gate", exact, [[mt.f32(h)]])
    k = kernels(judge(1, save("gate", tensors, {"scale": "1"}))[0])
    first = next(t for t in range(T) if mt.bf16(exact[t][0]) != 1) + 1
    expect("first token", k["bf16_gate"]["o"]["first_misrounded"]["token"], first)
    expect("rule", k["bf16_gate"]["diagnosis"]["rule"], "alpha-bf16")
    near("error", k["bf16_gate"]["final_state"]["relative_error"], 1 / 0.720584 - 1, 5)
    expect("fp32 gate", k["fp32_gate"]["verdict"], "within")


def forget_first_or_error_first():
    """One number: gate 1/2, key 1, beta 1, H_0 = 1: 0 is forget-first, -1/2 error-first."""
    x = {"q": [[1.0]], "k": [[1.0]], "v": [[0.0]], "beta": [1.0], "alpha": [[0.5]],
         "initial": [[1.0]]}
    tensors = mt.inputs_as_tensors(x)
    mt.add_kernel(tensors, x, "forget_first", [[0.0]], [[0.0]])
    mt.add_kernel(tensors, x, "error_first", [[-0.5]], [[-0.5]])
    trace = judge(1, save("order", tensors, {"scale": "1"}))[0]
    k = kernels(trace)
    expect("forget first", k["forget_first"]["verdict"], "within")
    expect("error first", k["error_first"]["verdict"], "beyond")
    expect("rule", k["error_first"]["diagnosis"]["rule"], "order-old-error")
    expect("nearer", trace["pairs"][0]["nearer_outputs"], "forget_first")


# ---- files ----------------------------------------------------------------------------

def three_ways_to_write_it():
    """safetensors, a folder of .npy, single .npy files: the same figures."""
    x = mt.random_inputs(3, 20, 4, 2)
    tensors = mt.inputs_as_tensors(x)
    mt.add_kernel(tensors, x, "it", *mt.fp32_kernel(x, 0.5))
    one = save("one", tensors, {})
    folder = FOLDER / "folder"
    folder.mkdir()
    for name, tensor in tensors.items():
        mt.write_npy(folder / (name + ".npy"), tensor)
    traces = judge(0, one, folder)
    expect("traces", len(traces), 2)
    files = judge(0, *sorted(folder.glob("*.npy")))
    expect("one trace of many files", len(files), 1)
    for t in (*traces, *files):
        t.pop("files"), t.pop("seconds")
    expect("folder", traces[1]["kernels"][0]["o"], traces[0]["kernels"][0]["o"])
    expect("files", files[0]["kernels"][0]["o"], traces[0]["kernels"][0]["o"])
    (folder / "metadata.json").write_text('{"scale": "1.5"}')
    k = judge(1, folder)[0]["kernels"][0]
    near("another scale", k["o"]["relative_error"], 2 / 3, 2)


def written_by_numpy():
    try:
        import numpy as np
    except ImportError:
        return "NumPy is not installed"
    x = mt.random_inputs(5, 16, 4, 2)
    folder = FOLDER / "numpy"
    folder.mkdir()
    o, final = mt.fp32_kernel(x, 0.5)
    T = len(x["k"])
    for name, array in (("q", x["q"]), ("k", x["k"]), ("v", x["v"]), ("alpha", x["alpha"]),
                        ("beta", x["beta"]), ("o.it", o), ("final_state.it", final)):
        a = np.asarray(array, dtype=np.float32)
        a = a.reshape((1, 1) + a.shape if name.startswith("final") else
                      (1, T, 1) + a.shape[1:])
        np.save(folder / (name + ".npy"), a)
    expect("verdict", judge(0, folder)[0]["verdict"], "within")
    return None


def refused(name, data, *words):
    path = FOLDER / name
    path.write_bytes(data)
    code, out, err = ckda(path)
    expect("exit code", code, 4)
    expect("document", json.loads(out)["schema"], "ckda.error/1")
    for word in (name, *words):
        if word not in err:
            raise Wrong(f"{err.strip()!r} lacks {word!r}")


def broken_files():
    def safe(header, data=b""):
        text = header.encode()
        return struct.pack("<Q", len(text)) + text + data
    good = pathlib.Path(DATA / "kda-decay.safetensors").read_bytes()
    refused("cut.safetensors", good[:-1], "data_offsets")
    refused("long.safetensors", good + b"\0", "bytes of data")
    refused("head.safetensors", good[:100], "bytes 0-7")
    refused("huge.safetensors", b"\xff" * 7 + b"\x7f" + good[8:], "9223372036854775807")
    refused("nan.safetensors", safe('{"a":{"dtype":"U8","shape":[NaN],"data_offsets":[0,1]}}',
                                    b"\0"), "NaN")
    refused("overlap.safetensors",
            safe('{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},'
                 '"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}', b"\0" * 3),
            "b.data_offsets", "overlap")
    refused("dtype.safetensors", safe('{"a":{"dtype":"F8","shape":[1],"data_offsets":[0,1]}}',
                                      b"\0"), "a.dtype", "F8")
    refused("huge.npy", b"\x93NUMPY\x01\x00\xff\xff{}", "65535")
    refused("none.safetensors", safe("{}"), '"k"')
    x = mt.random_inputs(3, 4, 2, 2)
    tensors = mt.inputs_as_tensors(x)
    mt.add_kernel(tensors, x, "it", *mt.fp32_kernel(x, 1))
    tensors["beta"] = ("F32", [1, 2, 2], [0.0] * 4)
    refused("shape.safetensors", save("tmp", tensors).read_bytes(), '"beta"', "[1, 4, 1]",
            "[1, 2, 2]")
    code, _, err = ckda(FOLDER / "missing.npy")
    expect("exit code", code, 4)
    if "missing.npy" not in err:
        raise Wrong(err)


# ---- pieces of real traces ------------------------------------------------------------

def text_is_for_people():
    code, out, _ = ckda(DATA / "kda-decay.safetensors", json_too=False)
    expect("exit code", code, 1)
    for word in ("chunk_kda", "relative error 3.466e-03", "output rounding only",
                 "first beyond its bound: chunk_kda", "outputs: fused_recurrent_kda"):
        if word not in out:
            raise Wrong(f"{word!r} is missing")


def real_kernel(name, chunk_error, recurrent_error, rounding):
    trace = judge(1, DATA / name)[0]
    k = kernels(trace)
    near("chunk_kda", k["chunk_kda"]["o"]["relative_error"], chunk_error, 4)
    near("fused_recurrent_kda", k["fused_recurrent_kda"]["o"]["relative_error"],
         recurrent_error, 4)
    expect("chunk_kda", k["chunk_kda"]["verdict"], "beyond")
    expect("fused_recurrent_kda", k["fused_recurrent_kda"]["verdict"], "within")
    expect("tokens", k["fused_recurrent_kda"]["o"]["tokens"]["rounding_only"], rounding)
    expect("chunk_kda, rule", k["chunk_kda"]["diagnosis"]["rule"], None)
    expect("nearer", trace["pairs"][0]["nearer_outputs"], "fused_recurrent_kda")


def raw_inputs():
    k = judge(1, DATA / "flashkda.safetensors")[0]["kernels"][0]
    near("flash_kda", k["o"]["relative_error"], 6.600e-3, 4)
    expect("first beyond", k["o"]["first_beyond"]["token"], 1)


def group_words():
    w = judge(1, DATA / "words-a5.safetensors")[0]["words"]
    expect("order", w["order"], 60)
    expect("states", w["states"], 7200)
    word = w["kernels"][0]["words"][0]
    expect("first wrong decode", word["first_wrong"], 1928)
    expect("nearest", word["first_wrong_nearest"], None)
    for t, drift, keys in ((64, 0.166, 0.0472), (256, 0.320, 0.183), (1024, 0.713, 0.641)):
        at = w["at"].index(t)
        near(f"drift at {t}", word["drift"][at], drift, 2)
        near(f"keys at {t}", w["given_keys_alone"]["words"][0]["drift"][at], keys, 2)
    expect("keys alone", w["given_keys_alone"]["words"][0]["first_wrong"], None)


TESTS = [
    ("swapped order of gate and delta", swapped_order),
    ("error of the old state", error_of_the_old_state),
    ("beta rounded to bf16", beta_in_bf16),
    ("slow decay in chunks", slow_decay_in_chunks),
    ("sigmoid(1/2), no decay", lambda: sigmoid_of_a_half(1.0, 2)),
    ("sigmoid(1/2), decay 1/2", lambda: sigmoid_of_a_half(0.5, None)),
    ("slow gate lost in bf16", slow_gate_lost),
    ("forget first or error first", forget_first_or_error_first),
    ("three ways to write it", three_ways_to_write_it),
    ("written by NumPy", written_by_numpy),
    ("broken files", broken_files),
    ("text for people", text_is_for_people),
    ("kda-decay", lambda: real_kernel("kda-decay.safetensors", 3.466e-3, 1.627e-3, 96)),
    ("kda-reflect", lambda: real_kernel("kda-reflect.safetensors", 5.317e-3, 1.625e-3, 95)),
    ("flashkda", raw_inputs),
    ("words-a5", group_words),
]


def main():
    print(f"1..{len(TESTS)}", flush=True)
    failed = 0
    for n, (name, test) in enumerate(TESTS, 1):
        start = time.monotonic()
        try:
            skipped = test()
            print(f"# {time.monotonic() - start:.1f} s")
            print(f"ok {n} - {name}" + (f" # SKIP {skipped}" if skipped else ""), flush=True)
        except (Wrong, subprocess.TimeoutExpired, KeyError, json.JSONDecodeError) as e:
            failed += 1
            print(f"not ok {n} - {name}\n# {type(e).__name__}: {e}", flush=True)
    shutil.rmtree(FOLDER)
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "2")
    sys.exit(main())
