"""The commands that are disturbed: every reader and every writer at least once.

A case: name, arguments (in/, data/ and docs/ lead to files of the project, everything else is
relative to a folder of its own), the files that it writes, commands that prepare it, and a
command that must accept what it wrote where bytes differ from run to run.
"""
from typing import NamedTuple


class Case(NamedTuple):
    name: str
    args: str
    writes: tuple = ()
    before: tuple = ()
    accepts: str = ""
    program: str = "ckda"
    threads: bool = False  # cannot be copied by fork


WORDS = "audit Z5 --all-words --state bf16 --max-states 200"
CASES = [
    Case("decompose", "decompose in/dpr1.json --certificate c.cert", ("c.cert",)),
    Case("spectrum", "spectrum in/product.json --json"),
    Case("spectrum eigenvalues", "spectrum in/rotation.json --eigenvalues"),
    Case("factor", "factor in/rho.json --json --certificate c.cert", ("c.cert",)),
    Case("factor rational", "factor in/rational2.json --factoriser short"),
    Case("reach, infinite", "reach in/set-and-halve.json --certificate c.cert", ("c.cert",)),
    Case("reach, exports",
         "reach S3 --json --certificate c.cert --dot g.dot --graphml g.xml --gap g.g --npy g.npy",
         ("c.cert", "g.dot", "g.xml", "g.g", "g.npy")),
    Case("reach, checkpoint", "reach in/octahedron.json --max-states 10 --checkpoint s.ckpt",
         ("s.ckpt",), accepts="reach in/octahedron.json --resume s.ckpt"),
    Case("reach, resume", "reach in/octahedron.json --resume s.ckpt --json",
         before=("reach in/octahedron.json --max-states 10 --checkpoint s.ckpt",)),
    Case("reach, threads", "reach S4 --threads 2 --json", threads=True),
    Case("compile, JSON", "compile in/flip-flop.json -o n.json --certificate c.cert",
         ("n.json", "c.cert")),
    Case("compile, AT&T text", "compile in/eight.att -o n.json --json", ("n.json",)),
    Case("run, GAP list", "run in/z3z3.g random:5 --json"),
    Case("run, AT&T text", "run in/eight.att @in/word.txt"),
    Case("run, weights", "run in/weights2.json --factoriser short --json a"),
    Case("run --close", "run in/flip-flop-net.json --close --certificate c.cert", ("c.cert",)),
    Case("audit, words", "audit Z3 --state bf16 --words 2 --length 20 --json --svg d.svg",
         ("d.svg", "d.dat", "d.gp")),
    Case("audit --all-words", "audit Z5 --all-words --grid 3 --certificate c.cert --json",
         ("c.cert",)),
    Case("audit, checkpoint", WORDS + " --checkpoint w.ckpt", ("w.ckpt",),
         accepts=WORDS + " --resume w.ckpt"),
    Case("audit, resume", WORDS + " --resume w.ckpt --json",
         before=(WORDS + " --checkpoint w.ckpt",)),
    Case("audit --snap", "audit Z3 --snap --grid 3 --json"),
    Case("audit --chunk", "audit Z3 --grid 4 --snap --chunk 4 --split pair"),
    Case("audit --trace", "audit --trace data/traces/words-a5.safetensors --json"),
    Case("range", "range data/range/equal_keys.json --json"),
    Case("range, logits", "range data/range/logits_bf16.json"),
    Case("sweep", "sweep --figure 2 --cells 3 --csv s.csv --json", ("s.csv",)),
    Case("reduce", "reduce in/reduce-square.json --json"),
    Case("construct", "construct in/q8.json -o k.json", ("k.json",)),
    Case("recheck", "s3.cert flip.cert", before=(
        "reach S3 --certificate s3.cert",
        "run in/flip-flop-net.json --close --certificate flip.cert"), program="ckda-recheck"),
    Case("list", "list --json"),
    Case("explain", "explain cor19"),
    Case("verify", "verify C-BUF2 --mutants --json"),
    Case("verify --tap, --junit", "verify C-COST --tap --junit j.xml", ("j.xml",)),
    Case("verify --certificates", "verify C-15 --certificates certs", ("certs",)),
    Case("report", "report -o page C-BUF2 --claims-only", ("page",)),
]
