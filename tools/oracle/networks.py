"""Compiled networks, run again by PARI: the recurrence of every head and the maps between the layers, as
docs/networks.md has them, on the document's own numbers.

Nothing is taken from the source of a network, which says what the word should give.  Products of blocks are
split into steps by a recipe of this folder's own, so that only the document's maps count.
"""
import json
import pathlib
import random
import re
import subprocess

import cases
import trackers
import words
from cases import Skip
from numbers_text import Atoms

SCHEMA = "ckda.net/1"
LENGTH = 72  # of the words: more than two blocks, and the clock goes round
# What is compiled: arguments of the program, which may be names of golden inputs.
COMPILED = ["S3", "Z5", "S4 --layers 3", "S4 --layers 2", "S5 --layers 2", "S5 -c small", "A5 -c small", "A4 --factoriser short",
            "D5 -c planar", "S4 -c cube", "A5 -c quaternion", "S4 -c householder", "in/plane72.json -c series",
            "in/heisenberg27.json -c series", "in/flip-flop.json", "in/flip-flop.json --layers 2",
            "in/eight.att", "in/eight.att --factoriser short", "in/weights2.json", "in/weights2.json --factoriser short"]


class Network(cases.Case):
    """A network that the program compiled, and a word."""

    def __init__(self, name, file, word, doc):
        super().__init__("networks", f"compile {name}", ["run", str(file), " ".join(word)], None)
        self.doc = doc

    def document(self):
        return self.doc


def documents(program, folder):
    """Compiles all of COMPILED and has the program run a random word; returns the cases, and complaints."""
    found, complaints = [], []
    for number, name in enumerate(COMPILED):
        file = pathlib.Path(folder) / f"net-{number}.json"
        args = [cases.resolve(word) for word in name.split()]
        done = subprocess.run([program, "compile", *args, "-o", str(file)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, timeout=120, check=False)
        if done.returncode:
            complaints.append(f"compile {name}: exit code {done.returncode}: {done.stderr.strip()}")
            continue
        doc = json.loads(file.read_text(encoding="utf-8"))
        case = Network(name, file, random.Random(name).choices(doc["letters"], k=LENGTH), doc)
        run = subprocess.run([program, *case.args, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True, timeout=120, check=False)
        stated = cases.flatten(json.loads(run.stdout))
        case.stated = {p: v for p, v in stated.items() if p == "all_equal" or re.fullmatch(r"prefixes\.\d+\.(output|expected)", p)}
        found.append(case)
    return found, complaints


# ---- a document in PARI ----

class Writer:
    """Numbers of a head in the generator of its own field."""

    def __init__(self):
        self.atoms = Atoms()

    def use(self, field):
        if isinstance(field, dict):
            poly = "+".join(f"{c}*x^{i}" for i, c in enumerate(field["minpoly"])).replace("+-", "-")
            self.atoms.generator = self.atoms.to_gp(f"root({poly},{field['root']})")

    def matrix(self, rows):
        return f"mat({self.atoms.rows(rows)})"

    def step(self, s):
        vectors = ("[" + ", ".join(self.atoms.vector(row) for row in s[k]) + "]" for k in ("key", "value"))
        keys, values = vectors
        return f"[{self.atoms.vector(s['beta'])}, {keys}, {self.atoms.vector(s['gate'])}, {values}, {self.matrix(s['query'])}]"

    def reader(self, r):
        tables = ", ".join(self.matrix(entry) for entry in r["table"])
        return f"[{int(r['through'] == 'quaternion')}, [{tables}]]"


def in_gp(items):
    return "[" + ", ".join(map(str, items)) + "]"


def coset_rows(doc, lookup):
    """For each letter and each coset after it, the step of u(after)^-1 x u(before)."""
    degree = doc["source"]["group"]["degree"]
    read = lambda texts: [trackers.from_cycles(g, degree) for g in texts]
    steps = {}
    for i, g in enumerate(read(lookup["elements"])):
        for k in read(lookup.get("kernel", ["()"])):
            steps[trackers.compose(g, k)] = i
    cosets, letters = read(lookup["representatives"]), read(doc["source"]["group"]["letters"])
    return [[steps[trackers.compose(inverse(u), trackers.compose(x, cosets[before]))] for u, before in zip(cosets, row)]
            for x, row in zip(letters, lookup["before"])]


def inverse(g):
    return tuple(sorted(range(len(g)), key=lambda i: g[i]))


def lookup_text(doc, lookup, fields, below, write):
    """A lookup in PARI; fields: of the heads that it serves, below: of those whose outputs it reads."""
    name = lookup["name"]
    def steps(rows):
        out = []
        for row in rows:
            for s, field in zip(row, fields):
                write.use(field)
                out.append(write.step(s))
        return in_gp(in_gp(out[i:i + len(fields)]) for i in range(0, len(out), len(fields)))
    def reader():
        write.use(below[0])
        return write.reader(lookup["reader"])
    def blocks():
        write.use(fields[0])
        letters = in_gp(in_gp(i + 1 for i in f) for f in lookup["maps"]) if "maps" in lookup else \
            in_gp(map(write.matrix, lookup["matrices"]))
        return f"{letters}, {write.atoms.vector(lookup['weights'])}"
    parts = {"letter": lambda: steps(lookup["steps"]), "slot": reader, "block": lambda: f"{lookup['length']}, {blocks()}",
             "window": lambda: f"{reader()}, {blocks()}",
             "coset": lambda: f"{reader()}, {steps(lookup['steps'])}, {in_gp(map(in_gp, coset_rows(doc, lookup)))}"}
    return f"[\"{name}\", {parts[name]()}]"


def question(doc, word):
    """The question what the network gives; word: numbers of letters, from 0."""
    write, layers, below = Writer(), [], []
    for layer in doc["layers"]:
        fields, initial = [h["field"] for h in layer["heads"]], []
        text = lookup_text(doc, layer["lookup"], fields, below, write)
        for head in layer["heads"]:
            write.use(head["field"])
            initial.append(write.matrix(head["initial"]))
        layers.append(f"[{text}, {in_gp(initial)}]")
        below = fields
    if doc["decoder"]["name"] == "joint":
        raise Skip("decoders of several heads, which no command writes")
    readers = []
    if "reader" in doc["decoder"]:
        write.use(below[0])
        readers.append(write.reader(doc["decoder"]["reader"]))
    return (f"field({write.atoms.fields()}); shown(0, 0); "
            f"network(ID, {in_gp(layers)}, {in_gp(readers)}, {in_gp(x + 1 for x in word)})")


# ---- what it says ----

def decoded(doc, got, t):
    """The output after letter t, as the program writes it; "none" where the outputs decode to nothing."""
    decoder, number = doc["decoder"], got.get(f"number.{t}")
    if decoder["name"] == "number":
        return "none" if number is None else str(number)
    if decoder["name"] == "state":
        return number if isinstance(number, int) and 0 <= number < doc["source"]["dfa"]["states"] else "none"
    degree = doc["source"]["group"]["degree"]
    if decoder["name"] == "digits":
        return from_digits(number, degree)
    read, passed = got.get(f"read.{t}", -1), got.get(f"passed.{t}", -1)
    if read < 0 or not 0 <= passed < len(decoder["representatives"]):
        return "none"
    u, g = (trackers.from_cycles(x, degree) for x in (decoder["representatives"][passed], decoder["elements"][read]))
    return trackers.cycles_text(trackers.compose(u, g))


def from_digits(number, degree):
    """Digit i + 1 in place j, base degree + 1: i goes to j."""
    image = [None] * degree
    for j in range(degree):
        if not isinstance(number, int) or number <= 0:
            return "none"
        number, i = divmod(number, degree + 1)
        if i == 0 or image[i - 1] is not None:
            return "none"
        image[i - 1] = j
    return trackers.cycles_text(tuple(image)) if number == 0 else "none"


def expected(doc, word):
    """The direct products of the word's prefixes, as the program writes them."""
    source = doc["source"]
    if "wfa" in source:
        state, step, output, _ = words.weighted(source["wfa"])
        out = []
        for x in word:
            state = step(state, doc["letters"][x])
            out.append(output(state))
        return out
    if "dfa" in source:
        state, out = source["dfa"]["start"], []
        rows = [source["dfa"]["transitions"][name] for name in doc["letters"]]
        for x in word:
            state = rows[x][state]
            out.append(state)
        return out
    degree = source["group"]["degree"]
    letters = [trackers.from_cycles(g, degree) for g in source["group"]["letters"]]
    product, out = tuple(range(degree)), []
    for x in word:
        product = trackers.compose(letters[x], product)
        out.append(trackers.cycles_text(product))
    return out


def outputs(doc, word):
    """What the layers give after each letter."""
    got = yield "gp", question(doc, word)
    return [decoded(doc, got, t) for t in range(len(word))]


def run(case):
    """A run: of a network's document by its layers, with what its source gives beside it; of others by words.py."""
    doc = case.document()
    if not isinstance(doc, dict) or doc.get("schema") != SCHEMA:
        return (yield from words.run(case))
    letters = words.letters_in(case) or []
    word, out = [doc["letters"].index(x) for x in letters], []
    if not word:
        return {}
    out, want = (yield from outputs(doc, word)), expected(doc, word)
    found = {"all_equal": out == want}
    for t, (o, e) in enumerate(zip(out, want)):
        found.update({f"prefixes.{t}.output": o, f"prefixes.{t}.expected": e})
        if "dfa" in doc["source"]:
            found[f"prefixes.{t}.accepted"] = o in doc["source"]["dfa"]["accept"]
    return found


# ---- could it fail? ----

# Golden inputs, a list in them and two of its entries that are exchanged: the layers must give something else.
EXCHANGED = [
    ("flip-flop-net.json", "layers/0/lookup/steps/0/0/gate", 0, 1), ("flip-flop-net.json", "layers/0/lookup/steps/0/0/query", 0, 1),
    ("flip-flop-net.json", "layers/1/lookup/reader/table", 0, 1), ("flip-flop-net.json", "layers/2/lookup/maps", 0, 1),
    ("flip-flop-net.json", "layers/2/lookup/weights", 0, 1), ("flip-flop-net.json", "layers/2/heads/0/initial", 0, 1),
    ("heisenberg27-net.json", "layers/0/lookup/steps", 0, 2), ("heisenberg27-net.json", "layers/1/lookup/elements", 1, 2),
    ("heisenberg27-net.json", "layers/1/lookup/before/2", 0, 1), ("heisenberg27-net.json", "layers/2/lookup/reader/table", 0, 1),
    ("heisenberg27-net.json", "layers/2/lookup/steps", 0, 1), ("heisenberg27-net.json", "decoder/elements", 1, 2),
    ("heisenberg27-net.json", "decoder/representatives", 1, 2),
]


def altered():
    """Cases whose word is decoded rightly by the document as it stands, and those of the documents with an exchange."""
    found, names = [], dict.fromkeys(file for file, *_ in EXCHANGED)
    for file, path, i, j in [(name, None, 0, 0) for name in names] + EXCHANGED:
        doc = json.loads((cases.GOLDEN / "in" / file).read_text(encoding="utf-8"))
        at = doc
        for key in path.split("/") if path else []:
            at = at[int(key) if isinstance(at, list) else key]
        if path:
            at[i], at[j] = at[j], at[i]
        word = doc["letters"][-1:] + random.Random(file).choices(doc["letters"], k=LENGTH - 1)  # i, which keeps the start
        found.append((path, Network(f"{file} {path}", file, word, doc)))
    return found
