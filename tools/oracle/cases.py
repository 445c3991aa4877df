"""The cases whose figures are recomputed, and the figures that each of them states.

A figure is a path into the command's JSON document ("charpoly.0", "one_layer.states") with its
value.  It is stated by `values` or `out` of a golden case, by a line of text that a pattern of
PATTERNS reads, or, with a program, by the whole document that it prints today.
"""
import json
import pathlib
import re
import shlex
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOLDEN = ROOT / "tests" / "golden"
EXAMPLES = ROOT / "docs" / "examples"
ERROR = "ckda.error/1"

# Lines of text output that state a figure: command, pattern, paths of its groups.
PATTERNS = [
    ("reach", r"finite, (\d+) states?", ["states"]),
    ("reach", r"order +(\d+):", ["order"]),
    ("reach", r"(\d+) elements? decoded", ["decoded"]),
    ("reach", r"^  edges +(\d+)", ["edges"]),
    ("reach", r"^  letters +(\d+)", ["letters"]),
    ("reach", r"(\d+) states first after 0 letters", ["levels.0"]),
    ("reach", r"(\d+) states first after 1 letters", ["levels.1"]),
    ("reach", r"(\d+) states first after 2 letters", ["levels.2"]),
    ("reach", r"(\d+) states first after 3 letters", ["levels.3"]),
    ("reach", r"(\d+) first reached by words of length 0", ["levels.0"]),
    ("reach", r"(\d+) first reached by words of length 1", ["levels.1"]),
    ("reach", r"(\d+) states, (\d+) edges", ["states", "edges"]),
    ("reach", r"states := (\d+)", ["states"]),
    ("reach", r"(?:^|: )(infinite)\b", ["verdict"]),
    ("reach", r"(\d+) states, all different; (\d+) edges", ["states", "edges"]),
    ("construct", r"(\d+) states, (\d+) edges, closed", ["one_layer.states", "one_layer.edges"]),
    ("construct", r"isomorphic to (\w+)", ["so3.group"]),
    ("construct", r"(\d+) products compared", ["so3.products_compared"]),
    ("construct", r"one layer  (undecided|impossible)", ["one_layer.verdict"]),
    ("construct", r"^(undecided|impossible)", ["one_layer.verdict"]),
    ("construct", r"(\d+) layers, as few as there can be", ["series.count"]),
    ("construct", r"simple of order (\d+)", ["series.obstacle.order"]),
    ("run", r"closed: (\d+) joint states, (\d+) edges", ["closure.states", "closure.edges"]),
    ("run", r"(all) \d+ prefixes equal", ["all_equal"]),
    ("spectrum", r"(\d+) non-real pairs?, (\d+) of them on", ["nonreal_pairs", "unit_circle_pairs"]),
    ("spectrum", r"multiplicity: (\d+) real", ["real_roots"]),
    ("spectrum", r"charpoly (\S+)", ["charpoly"]),
    ("factor", r"as (\d+) factors? in dimension (\d+) \(bound (\d+)", ["count", "dimension", "bound"]),
    ("factor", r"max beta +(\S+)", ["max_beta"]),
    ("factor", r"minimal +(yes)", ["minimal"]),
    ("factor", r"(\d+) factors, bound (\d+) (verified)", ["count", "bound", "verified"]),
    ("factor", r"\|x\|\^2 +(\S+)", ["witness.x"]),
    ("factor", r"\|Ax\|\^2 +(\S+)", ["witness.Ax"]),
    ("decompose", r"choices +(\d+) sign", ["representations"]),
    ("reduce", r"states +(\d+), differences span dimension (\d+)", ["states", "span"]),
    ("reduce", r"image has dimension (\d+)", ["core"]),
    ("reduce", r"group of order (\d+)", ["group_order"]),
    ("reduce", r"decodes (\d+) of", ["decoded"]),
    ("reduce", r"tracker +(\d+) state", ["tracker_states"]),
    ("sweep", r"cells +(\d+) real, (\d+) double, (\d+) pair, (\d+) circle",
     ["counts.real", "counts.double", "counts.pair", "counts.circle"]),
    ("audit", r"(\d+) rounded states, closed under (\d+) edges at depth (\d+)", ["states", "edges", "depth"]),
    ("audit", r"error +at most (\S+) grid", ["max_error"]),
    ("audit", r"(\S+) grid units from the nearest", ["tie_distance"]),
    ("audit", r"of length (\d+) is the shortest", ["word_length"]),
    ("audit", r"seen +(\d+) rounded", ["states"]),
    ("range", r"verdict: (fits|breaks|undecided)", ["verdict"]),
    ("verify", r"(\d+) inputs re-checked", []),
]
WORDS = {"yes": True, "verified": True, "all": True, "true": True, "false": False, "null": None}


# File in docs/examples, where its part begins and ends (None: the end of the file), the command that printed it.
TRANSCRIPTS = [
    ("audit.out", "tracks forever", "fails:", "audit Z5 --grid 22 --keys fp32 --all-words"),
    ("audit.out", "fails:", None, "audit Z5 --grid 5 --keys fp32 --all-words"),
    ("automaton.out", "odd.att, three", "\n\n", "run odd.att 'a a a c a'"),
    ("automaton.out", "closed: 103", None, "run odd.att --close"),
    ("budget.out", "chunk16.json:", "chunk64.json:", "range chunk16.json"),
    ("budget.out", "chunk64.json:", None, "range chunk64.json"),
    ("certificate.out", "c D4", "exit", "reach D4"),
    ("construction.out", "reflections.json", "turn.json", "reach reflections.json"),
    ("construction.out", "turn.json", "ckda:", "reach turn.json"),
    ("enumerate.out", "S4 by", None, "reach S4"),
    ("reach.out", "quaternion", None, "reach A5"),
]


class Skip(Exception):
    """This case states nothing that an oracle recomputes; the reason names its class."""


class Case:
    """name, args (paths resolved), exit code (None: not stated), stated: path -> value."""

    def __init__(self, source, name, args, code):
        self.source, self.name, self.code = source, name, code
        self.words = list(args)
        self.args = [resolve(word) for word in args]
        self.command = args[0] if args else ""
        self.stated = {}

    def option(self, *names, default=None):
        for name in names:
            for at, word in enumerate(self.args):
                if word == name:
                    return self.args[at + 1]
                if word.startswith(name + "="):
                    return word.partition("=")[2]
        return default

    def has(self, name):
        return name in self.args

    def stated_list(self, path):
        """The stated figures PATH.0, PATH.1, ... as a list."""
        found = []
        while f"{path}.{len(found)}" in self.stated:
            found.append(self.stated[f"{path}.{len(found)}"])
        return found

    def family(self):
        """The golden file that the case stands in, or what kind of place: examples, groups."""
        first, _, rest = self.source.partition("/")
        return rest if first == "golden" else first

    def document(self):
        """The JSON document that the case is about; None if it is no file or no JSON."""
        path = pathlib.Path(self.args[1])
        if not path.is_file() or path.suffix != ".json":
            return None
        return json.loads(path.read_text(encoding="utf-8"))


def resolve(word):
    for prefix, folder in (("in/", GOLDEN), ("data/", ROOT), ("docs/", ROOT)):
        if word.startswith(prefix):
            return str(folder / word)
        if word.startswith("@" + prefix):
            return "@" + str(folder / word[1:])
    return word


def flatten(value, path=""):
    """Leaves of a JSON value by path."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None or not value:
        return {path: value}
    found = {}
    for key, part in items:
        found.update(flatten(part, f"{path}.{key}" if path else str(key)))
    return found


def typed(text):
    if text in WORDS:
        return WORDS[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def of_text(command, text):
    """Figures in lines of text."""
    found = {}
    for owner, pattern, paths in PATTERNS:
        match = owner == command and re.search(pattern, text, re.M)
        if match:
            for path, group in zip(paths, match.groups()):
                value = re.sub(r"[,)]+$", "", group)
                found.setdefault(path, value if path in ("charpoly", "max_beta") else typed(value))
    if command == "factor":
        for at, beta, key, gate in re.findall(r"^ +(\d+) +beta (\S+) +key \[(.*?)\] +gate \[(.*?)\]", text, re.M):
            found[f"factors.{at}.beta"] = beta
            found.update(flatten({"key": key.split(", "), "gate": gate.split(", ")}, f"factors.{at}"))
    if command == "run":
        for at, _, out in re.findall(r"^ +(\d+)  (\S+) +(\S+)", text, re.M):
            found[f"prefixes.{int(at) - 1}.output"] = out
    return found


def of_fragment(command, text):
    """A part of stdout: a piece of JSON like `"states": 24,`, or text."""
    piece = re.fullmatch(r'\s*("[^"]+": .*?),?\s*', text, re.S)
    if piece:
        try:
            return flatten(json.loads("{" + piece[1] + "}"))
        except ValueError:
            pass
    return of_text(command, text)


def golden_case(file, raw):
    case = Case(f"golden/{file}", raw["name"], raw["args"], raw["exit"])
    if "out" in raw:
        text = (GOLDEN / "out" / raw["out"]).read_text(encoding="utf-8")
        try:
            case.stated.update(flatten(json.loads(text)))
        except ValueError:
            case.stated.update(of_text(case.command, text))
    for path, value in raw.get("values", {}).items():
        # a list of two numbers is a pair of bounds; any other list is a part of the document
        bounds = isinstance(value, list) and len(value) == 2 and not any(isinstance(x, (str, list)) for x in value)
        case.stated.update({path: tuple(value)} if bounds else flatten(value, path))
    for text in raw.get("says", []):
        case.stated.update(of_fragment(case.command, text))
    return case


def golden():
    for file in sorted(path.name for path in GOLDEN.glob("*.json")):
        for raw in json.loads((GOLDEN / file).read_text(encoding="utf-8")):
            if raw.get("json") != ERROR:  # a failure states no figure
                yield golden_case(file, raw)


def examples():
    """What the transcripts in docs/examples say."""
    for out, begin, end, args in TRANSCRIPTS:
        text = (EXAMPLES / out).read_text(encoding="utf-8")
        start = text.index(begin)
        stop = text.index(end, start + len(begin)) if end else len(text)
        words = [f"docs/examples/{w}" if (EXAMPLES / w).is_file() else w for w in shlex.split(args)]
        case = Case(f"examples/{out}", f"{out}: {args}", words, None)
        case.stated = of_text(case.command, text[start:stop])
        yield case


def read_documents(program, cases, folder):
    """Adds what the program prints today with --json; returns complaints.  (The golden tests compare the rest of it.)"""
    complaints = []
    for case in cases:
        args = case.args + ([] if "--json" in case.args else ["--json"])
        args = [re.sub(r"^OUT/", f"{folder}/", word) for word in args]
        done = subprocess.run([program, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)
        try:
            found = flatten(json.loads(done.stdout))
        except ValueError:
            # a graph may go where the document goes
            if done.returncode != case.code or (case.code == 0 and "/dev/stdout" not in case.args):
                complaints.append(f"{case.source}: {case.name}: no JSON document, exit code {done.returncode}")
            continue
        if found.get("schema") == ERROR:
            continue
        for path, value in found.items():
            case.stated.setdefault(path, value)
    return complaints
