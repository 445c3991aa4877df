#!/usr/bin/env python3
"""seeds.py CKDA FOLDER -- first inputs for the fuzz targets, one folder for each target.

Taken from the examples, the inputs of the command-line tests, data/ and proofs/, and written by the
program CKDA (networks, saved searches).  The corpora beside this file grew out of them.
"""
import hashlib
import json
import os
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CKDA, OUT = os.path.abspath(sys.argv[1]), sys.argv[2]
LARGEST = 2500


def put(target, data):
    if isinstance(data, str):
        data = data.encode()
    folder = os.path.join(OUT, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, hashlib.sha1(data).hexdigest()), "wb") as f:
        f.write(data)


def files(*folders, ending=".json"):
    for folder in folders:
        path = os.path.join(ROOT, folder)
        for name in sorted(os.listdir(path)):
            if name.endswith(ending):
                with open(os.path.join(path, name), "rb") as f:
                    yield name, f.read()


def ckda(*args):
    return subprocess.run([CKDA, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


# ---- documents and the numbers in them ----------------------------------------------------

NUMBERS = """-3/4|sqrt(5)|(1+sqrt(5))/4|cos(2*pi/5)|sin(pi/12)|root(x^2-x-1, 1.6)|0x1.9p-4|0x1p-149|-0x1.fep127|0.1|1e400|.5|2^-3
(2^100)^3|sqrt(sqrt(2)+1)|root(x^5-x-1,1)|root(x^3-2,1.26)^2|cos(2*pi/7)*4|(sqrt(2)+sqrt(3))^4|-2^2|2^3^2|--+5|1/0|sqrt(-1)
sqrt(2)*sqrt(3)/sqrt(6)|1/(sqrt(5)-2)|root(x^4-10*x^2+1,3)|0^0|0^-1|pi|x|cos(pi)|cos(1)|sin(2*pi/512)|root(x,0)|root(7,1)|root((x-1)^2,1)
123456789012345678901234567890/98765432109876543210|((((((1))))))|1 + 2 * ( 3 - 4 ) / 5 ^ 2|a|a^2-1/2*a+3|1/4+1/4*a|1/(a-1)|(a+1)^-2""".replace("\n", "|").split("|")


def numbers_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for v in value.values():
            yield from numbers_in(v)
    elif isinstance(value, list):
        for v in value:
            yield from numbers_in(v)


def documents():
    texts = set(NUMBERS)
    for name, data in files("docs/examples", "tests/golden/in", "data/reach"):
        if len(data) > LARGEST:
            continue
        put("document", data)
        if name.startswith("reduce") or b"heads" in data or b"affine" in data:
            put("heads", data)
        try:
            texts.update(t for t in numbers_in(json.loads(data)) if len(t) < 60)
        except ValueError:
            pass
    for text in sorted(texts):
        put("number", text)
        for which in range(5):
            put("element", bytes([which]) + text.encode())
    for _, data in files("data/range", "docs/examples"):
        if len(data) <= LARGEST and any(word in data for word in (b"chunk", b"dot", b"gates")):
            put("range", data)


DOCUMENTS = [
    {"permutation": "(1,2,3)(4,5)"}, {"permutation": [1, 2, 0]}, {"map": [0, 0, 1]},
    {"group": {"generators": {"a": "(1,2)", "b": "(1,2,3,4,5)"}, "letters": "generators"}},
    {"group": {"table": [[0, 1], [1, 0]], "names": ["e", "s"]}},
    {"affine": {"initial": [["1"], ["0"]], "letters": {"a": {"matrix": [["0", "-1"], ["1", "0"]], "offset": [["1/2"], ["0"]]},
                                                    "b": {"matrix": [[1, 0], [0, 1]]}}}},
    {"dfa": {"states": 3, "start": 0, "accept": [2], "transitions": {"a": [1, 1, 2], "b": [0, 2, 2]}}},
    {"wfa": {"initial": ["1", "0"], "final": ["1/2", "1"], "matrices": {"a": [["1", "0"], ["1", "1"]], "b": [[0, 1], [1, 0]]}}},
    {"family": "deltaproduct", "betas": ["2", "1"], "keys": [["1", "1"], ["1", "0"]], "gate": "1"},
    {"family": "gdn", "beta": "1", "key": ["1", "1"], "gate": "1/2"},
    {"family": "kda", "beta": "1", "key": ["sqrt(2)", "1"], "gate": ["1/2", "cos(2*pi/5)"]},
    {"family": "deltanet", "beta": "3", "key": ["0x1.8p0", "1"], "unchecked": True},
    {"matrix": [["a", "1"], ["0", "1+a"]], "field": {"sqrt": 5}}, {"matrix": [["a"]], "field": {"cos": 12}},
    {"matrix": [["sqrt(2)", "sqrt(3)"], ["1", "sqrt(6)"]], "field": {"of": ["sqrt(2)", "sqrt(3)"]}},
    {"diagonal": ["1/5", "11/5"], "u": ["1", "2"], "v": ["2/5", "-4/5"]},
]

# ---- words, automata, lists -----------------------------------------------------------------


def texts():
    for group, words in enumerate((["r r 3 r^5 5", "random:12", "e 11"], ["(1,2) (1,2,3)(4) [1,2,3,0] a*b^-1 ()", "random:5 "],
                                   ["r s r*s r^2*s", " s\n s\t"], ["(1,2,3) (1,2,3,4,5) e", "random:0"])):
        for word in words:
            put("word", bytes([group]) + word.encode())
    for name in ("Z5", "D4", "S5", "A6", "Z300", "S9", "D1", "A2"):
        put("word", bytes([4]) + name.encode())
    for degree, text in ((2, "(1,2,3)(4,5)"), (1, "[1,2,0]"), (1, "()"), (127, "(1,255,3)"), (0, "[0]"), (3, "(1, 2)( 3 ,4)")):
        put("word", bytes([128 + degree]) + text.encode())
    for _, data in files("docs/examples", "tests/golden/in", ending=".att"):
        put("att", data)
    for text in ("0 1 a\n1 0 a\n1\n", "x y a 1/2\ny x b\ny 3\n", "# comment\n0 0 a 2\n0 0 a 3\n0 1\n", "s t a\nt s a\ns s b\nt\n", "0 1 <eps>\n",
                 "0 1 a 0x1p-3\n1 0 b sqrt(2)\n1 -1/3\n", "5 6 a\n"):
        put("att", text)
    for _, data in files("tests/golden/in", ending=".g"):
        put("gap", data)
    for text in ("[ (1,2,3), (1,2)(4,5), () ];", "[ [2,3,1], [2,1,3] ]", "# two\n[ (1,2),\n [2,1] ]\n", "[ (1,1) ]", "[ [1,1] ]", "[(1,300)]", "[]",
                 "[ (1,2,3,4,5,6), (1,2) ]", "[ (1,2,3,4,5,6,7), (5,6,7) ]"):
        put("gap", text)


# ---- tensors ----------------------------------------------------------------------------------


def npy(descr, shape, data, version=1):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, "".join("%d," % n for n in shape))
    width = 2 if version == 1 else 4
    text += " " * (-(len(text) + 9 + width) % 16) + "\n"
    return b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(width, "little") + text.encode() + data


def safetensors(tensors, meta=None):
    head, at, body = {}, 0, b""
    if meta:
        head["__metadata__"] = meta
    for name, (dtype, shape, data) in tensors.items():
        head[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
        body += data
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + body


def floats(*x):
    return struct.pack("<%df" % len(x), *x)


def tensors():
    f4 = npy("<f4", (1, 2), floats(1, -0.5))
    for data in (f4, npy("|V2", (2,), b"\x80\x3f\x00\xc0"), npy("<f8", (), struct.pack("<d", 0.1)), npy("|b1", (3, 0), b""),
                 npy("<i8", (1,), struct.pack("<q", -7), 2), npy("<u1", (2, 2, 1), b"abcd", 3)):
        put("npy", data)
    pieces = [(0, f4), (3, npy("<f2", (1,), b"\x00\x3c")), (4, b'{"scale": "0.5", "what": "H_0=I"}')]
    put("npy", b"F" + b"".join(bytes([k]) + struct.pack("<H", len(d)) + d for k, d in pieces))
    one = {"a": ("F32", [2], floats(1, 2)), "b": ("BF16", [1, 1], b"\x80\x3f"), "c": ("U8", [0, 3], b"")}
    put("safetensors", safetensors(one, {"note": "x"}))
    put("safetensors", safetensors({"s": ("F64", [], struct.pack("<d", 2.5)), "i": ("I64", [1], struct.pack("<q", 3)), "t": ("BOOL", [2], b"\0\1")}))
    for data in traces():
        put("trace", data)
        put("safetensors", data)


def traces():
    """B = 1, T = 2, one head, K = 2, V = 1; H_1 = beta k v^T and so on, all exact."""
    k, q, v, beta = floats(1, 0, 0, 1), floats(1, 1, 1, 1), floats(1, 0.5), floats(1, 0.5)
    base = {"q": ("F32", [1, 2, 1, 2], q), "k": ("F32", [1, 2, 1, 2], k), "v": ("F32", [1, 2, 1, 1], v), "beta": ("F32", [1, 2, 1], beta)}
    out = {"o": ("F32", [1, 2, 1, 1], floats(1, 1.25)), "final_state": ("F32", [1, 1, 2, 1], floats(1, 0.25))}
    yield safetensors({**base, **out}, {"scale": "1"})
    yield safetensors({**base, "g": ("F32", [1, 2, 1], floats(-0.5, -1)), "o.a": out["o"], "o.b": ("BF16", [1, 2, 1, 1], b"\x80\x3f\xa0\x3f")},
                      {"arithmetic.b": "recurrent-bf16-state"})
    yield safetensors({**base, "gate_logit": ("F32", [1, 2, 1, 2], q), "A_log": ("F32", [1], floats(0)), "dt_bias": ("F32", [1, 2], floats(0, 1)),
                       "initial_state": ("F32", [1, 1, 2, 1], floats(0, 1)), **out}, {"gate": "softplus"})
    yield safetensors({"k_raw": base["k"], "q_raw": base["q"], "v": base["v"], "beta_logit": base["beta"],
                       "alpha": ("F32", [1, 2, 1, 2], floats(1, -1, 0.5, 1)), **out}, {"beta_scale": "2", "state_layout": "vk"})
    rows = {"k": ("F32", [1, 2, 2], k), "beta": ("F32", [1, 2], floats(2, 2)), "alpha": ("F32", [1, 2, 2], floats(1, -1, 1, 1)),
            "o.x": ("F32", [1, 2, 1, 2], floats(1, 0, -1, 0))}
    yield safetensors(rows, {"initial_state": "identity"})
    group = {"letters": ("I32", [1, 2], struct.pack("<2i", 1, 1)), "element": ("I32", [1, 2], struct.pack("<2i", 1, 0)),
             "product_table": ("I32", [2, 2], struct.pack("<4i", 0, 1, 1, 0)), "keys_table": ("F32", [2, 4], floats(1, 0, 0, 0, 1, 0, 0, 0)),
             "signs_table": ("F32", [2, 4], floats(-1, 1, 1, 1, 1, 1, 1, -1)), "k": ("F32", [1, 2, 4], floats(1, 0, 0, 0, 1, 0, 0, 0)),
             "beta": ("F32", [1, 2], floats(2, 2)), "o.x": ("F32", [1, 2, 4, 4], bytes(128))}
    yield safetensors(group, {"initial_state": "identity"})


# ---- networks, identities, saved searches, claims -------------------------------------------------


def networks():
    with tempfile.TemporaryDirectory() as folder:
        net = os.path.join(folder, "net.json")
        inputs = [os.path.join(ROOT, "tests/golden/in", n) for n in ("flip-flop.json", "counter.json", "weights2.json", "half.json")]
        for system, *options in [["Z2"], ["Z3"], ["S3"], ["S3", "--layers", "3"]] + [[i] for i in inputs] + [[inputs[0], "--layers", "3"]]:
            ckda("compile", system, "-o", net, *options)
            if os.path.exists(net):
                with open(net) as f:
                    text = json.dumps(json.load(f), separators=(",", ":"))
                if len(text) <= 3 * LARGEST:
                    put("network", text)
                os.unlink(net)


def theories(value):
    if isinstance(value, dict):
        if "variables" in value and "holds" in value:
            yield value
        for v in value.values():
            yield from theories(v)
    elif isinstance(value, list):
        for v in value:
            yield from theories(v)


def identities():
    for name, data in files("proofs"):
        for t in theories(json.loads(data)):
            variables = [v for v in t["variables"] if isinstance(v, str)]
            if set(t.get("for", {})) - {"n"} or len(variables) > 8:
                continue
            lines = [" ".join(variables)] + ["$%s = %s" % tuple(d[:2]) for d in t.get("let", [])] + ["~" + r for r in t.get("relations", [])]
            lines += ["%" + p for p in t.get("parameters", [])] + ["@%s = %s" % d for d in t.get("sample", {}).items()]
            lines += ["!" + a for a in t.get("assume", [])]
            for statement in t["holds"][:3]:
                text = "\n".join(lines + [statement])
                if len(text) < 300:
                    put("identity", text)
    for text in ("x y\n(x+y)^2 == x^2 + y^2", "x\n!x > 0\npsd [x, 0; 0, 1]", "x\n~x*(x-1)*(x^2+1) == 0\nx^2 == x", "x y\n(x-y)^2 >= 0\ndivides(x-y, x^2-y^2, x)",
                 "q[2,2]\n$Q = genmat(q,2,2)\nminor2(Q) == [det(Q)]\ncharpoly(Q, q11) == 0", "c s\n~c^2 + s^2 == 1\n(1-c^2)/s == s"):
        put("identity", text)


def saved():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "saved")
        for kind, args in (("d", ["reach", "D3", "--construction", "planar"]), ("g", ["reach", "D3", "--construction", "planar", "--dot", path + ".dot"]),
                           ("w", ["audit", "D3", "--construction", "planar", "--grid", "16", "--all-words", "--keys", "fp32", "--compute", "fp32",
                                  "--fma", "on"])):
            for states in (1, 3, 5):
                ckda(*args, "--max-states", str(states), "--checkpoint", path)
                with open(path, "rb") as f:
                    data = f.read()
                put("saved", kind.encode() + data[:-8])
                if kind == "d":
                    put("saved", b"r" + data)


def ledger():
    for name, data in files("proofs"):
        document = json.loads(data)
        for claim in document["claims"]:
            one = {**document, "target": "input", "claims": [{k: v[:40] if isinstance(v, str) and k not in ("id", "check", "status", "strength") else v for k, v in claim.items()}]}
            text = json.dumps(one, separators=(",", ":")).replace('"check":"%s"' % claim.get("check"), '"check":"identity"')
            if len(text) < 900:
                put("ledger", text)


documents()
for d in DOCUMENTS:
    put("document", json.dumps(d))
    if "affine" in d or "matrix" in d or "group" in d:
        put("heads", json.dumps(d))
texts()
tensors()
networks()
identities()
saved()
ledger()
