"""Real JSON outputs, for the schemas of docs/schemas: the golden cases that say "json", run with
the small ledger, and some commands on the real one."""
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden"
sys.path.insert(0, str(GOLDEN))
import run as golden  # noqa: E402

WHOLE_LEDGER = ("part-b",)  # golden files for the program itself
COMMANDS = [
    "list thm8", "list --status open", "explain thm1.forward", "explain cor19 thm8.count", "verify thm1.forward C-19 thm8.neg",
    "verify --mutants thm1.forward C-19", "reach S4", "reach A5 --max-states 100", "reach docs/examples/turn.json --max-states 100",
    "reach docs/examples/reflections.json", "run docs/examples/odd.att 'a a c'", "run docs/examples/odd.att --close",
    "run S4 '(1,2) (1,2,3)' --states", "run A5 random:20", "decompose docs/examples/plus_rank_one.json",
    "spectrum docs/examples/step.json", "spectrum docs/examples/step.json --eigenvalues",
    "spectrum tests/golden/in/product.json", "factor tests/golden/in/cycle5.json", "sweep --figure 2 --cells 4",
    "compile docs/examples/odd.att", "compile S3 --layers 2", "audit S3 --state bf16 --keys bf16 --length 64 --words 4",
    "audit Z5 --grid 22 --keys fp32 --all-words", "audit Z5 --grid 5 --keys fp32 --all-words",
    "audit Z5 --state fp32 --keys fp32 --all-words --max-states 100", "audit S4 --snap",
    "audit Z3 --grid 2 --snap --chunk 16 --split pair", "audit --trace data/traces/kda-reflect.safetensors",
    "construct S4", "construct A5", "construct docs/examples/reflections.json", "reduce S3",
    "reduce docs/examples/reflections.json", "report -o OUT/page --claims-only thm1.forward C-19 --quiet",
    "spectrum no-such-file.json", "construct A6 --construction cube", "list thm99", "reach D3 --max-states x",
    "range docs/examples/chunk64.json", "range data/range/logits_bf16.json", "range data/range/tensor_core.json",
]


CERTIFICATES = [  # each writes OUT/x.cert
    "reach D3 --certificate OUT/x.cert", "reach docs/examples/turn.json --max-states 100 --certificate OUT/x.cert",
    "reach A4 --construction quaternion --certificate OUT/x.cert", "run docs/examples/odd.att --close --certificate OUT/x.cert",
    "run S3 --construction two-layer --close --certificate OUT/x.cert", "audit Z3 --grid 22 --keys fp32 --all-words --certificate OUT/x.cert",
    "audit Z5 --grid 5 --keys fp32 --all-words --certificate OUT/x.cert",
]


def document(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def of_golden(mini, ckda):
    for file in sorted(GOLDEN.glob("*.json")):
        program = ckda if file.stem in WHOLE_LEDGER else mini
        for case in json.loads(file.read_text(encoding="utf-8")):
            if "json" in case and "to" not in case:
                with tempfile.TemporaryDirectory() as folder:
                    done = golden.run(program, case, folder)
                yield f"{file.stem}: {case['name']}", case["json"], document(done.stdout)


def of_ckda(ckda):
    for command in COMMANDS:
        words = shlex.split(command) + ([] if command.startswith("compile") else ["--json"])
        with tempfile.TemporaryDirectory() as folder:
            words = [word.replace("OUT/", f"{folder}/") for word in words]
            done = subprocess.run([ckda] + words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, check=False)
        found = document(done.stdout)
        yield f"ckda {command}", found.get("schema") if isinstance(found, dict) else None, found


def run_quietly(ckda, command, folder):
    words = [re.sub(r"^OUT(/|$)", rf"{folder}\1", word) for word in shlex.split(command)]
    subprocess.run([ckda] + words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT, check=False)


def of_folder(ckda):
    """The list that --certificates leaves, and the certificates that it names."""
    with tempfile.TemporaryDirectory() as folder:
        run_quietly(ckda, "verify thm1.forward thm8.count C-B4.1 --certificates OUT/certs", folder)
        index = pathlib.Path(folder, "certs", "index.json")
        found = document(index.read_text(encoding="utf-8")) if index.exists() else None
        yield "ckda verify --certificates: index.json", "ckda.certificates/1", found


def of_gpu():
    """What ckda-gpu wrote on a device: data/gpu/KIND.json or KIND_*.json."""
    for file in sorted((ROOT / "data" / "gpu").glob("*.json")):
        yield f"data/gpu/{file.name}", f"ckda.gpu-{file.stem.split('_')[0]}/1", document(file.read_text(encoding="utf-8"))


def lines_of(file):
    return [document(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def of_certificates(ckda):
    """Certificates: name, lines."""
    for command in CERTIFICATES:
        with tempfile.TemporaryDirectory() as folder:
            run_quietly(ckda, command, folder)
            yield f"ckda {command}", lines_of(pathlib.Path(folder, "x.cert"))
    with tempfile.TemporaryDirectory() as folder:
        run_quietly(ckda, "verify thm1.forward --certificates OUT", folder)
        yield "ckda verify thm1.forward --certificates", lines_of(pathlib.Path(folder, "thm1.forward.cert"))
