"""Reachable sets, constructions and reductions: what GAP is asked.  (Words that make a set infinite go to PARI.)"""
import re

import by_pari
import numbers_text as text
from cases import Skip

SYSTEM = re.compile(r"[ZDSA]\d+")
DEFAULT = {"Z": "planar", "D": "planar", "A4": "cube", "S4": "cube", "A5": "quaternion"}
FAR = 10**7  # states; what GAP is allowed where the case states no limit
STATES = 20000  # the same where GAP lists the states themselves


def default(name):
    """The construction that is taken for a system when none is asked for."""
    return DEFAULT.get(name) or DEFAULT.get(name[0], "householder")


def permutation(word):
    """Cycles from 1 or images from 0, as GAP writes them."""
    if isinstance(word, list):
        return f"PermList({[i + 1 for i in word]})"
    return "()" if word in ("e", "()") else word.replace(" ", "")


def generator(field):
    """The generator a of a document's field as GAP has it; None over Q."""
    if not isinstance(field, dict):
        return None
    name, number = next(iter(field.items()))
    return f"Sqrt({number})" if name == "sqrt" else f"2*CosPi(2/{number})"


def step(doc, gen=None):
    """A GAP expression for the matrix of a document."""
    if "product" in doc:
        return "*".join(step(part, gen) for part in reversed(doc["product"]))
    if doc.get("family") == "ckda":
        vectors = ("[" + ",".join(text.to_gap(x, gen) for x in doc[k]) + "]" for k in ("key", "gate"))
        return "Step({},{},{})".format(text.to_gap(doc["beta"], gen), *vectors)
    if "matrix" in doc:
        return text.gap_matrix(doc["matrix"], gen)
    raise Skip("other documents")


def group_letters(group):
    """(matrices, elements) of a group document; elements act on the right, as the matrices do here."""
    tracker = group.get("tracker")
    if tracker:
        gen = generator(tracker.get("field"))
        heads = tracker.get("heads") or [tracker]
        names = list(heads[0]["transitions"])
        mats = [diagonal([step(h["transitions"][n], gen) for h in heads]) for n in names]
        return mats, [element(group, n) for n in names]
    if "table" in group:
        raise Skip("a table without transitions is another command's")
    elements = [permutation(p) for p in group["generators"].values()]
    if group.get("letters", "all") == "all":
        return None, elements
    points = f"Maximum(1,LargestMovedPoint([{','.join(elements)}]))"
    return [f"PermutationMat({e},{points})" for e in elements], elements


def diagonal(blocks):
    """One matrix of the heads' matrices."""
    return blocks[0] if len(blocks) == 1 else f"DirectSumMat({','.join(blocks)})"


def element(group, name):
    """Our product g h does h first; GAP's matrices and permutations from the right: the inverse reverses once more."""
    if "table" in group:
        row = group["table"][group["names"].index(name)]
        return f"PermList({[i + 1 for i in row]})^-1"
    if name in group["generators"]:
        return permutation(group["generators"][name]) + "^-1"
    return f"({permutation(name)})^-1"


def affine(doc):
    """(initial, [(A, B)], names) as lists of text; B None without an offset."""
    system = doc["affine"]
    letters = [(x["matrix"], x.get("offset")) for x in system["letters"].values()]
    return system["initial"], letters, list(system["letters"])


def identity(matrix):
    return all(str(x) == str(int(i == j)) for i, row in enumerate(matrix) for j, x in enumerate(row)) \
        and len(matrix) == len(matrix[0])


def zero(matrix, columns):
    return [["0"] * columns for _ in matrix]


def reach(case):
    if case.option("--max-memory", "--max-time"):
        raise Skip("limits of memory and time")
    limit = int(case.option("--max-states", default=FAR))
    if case.stated.get("verdict") == "infinite" or case.stated.get("witness.kind"):
        return (yield from infinite(case))
    name, doc = case.args[1], None
    if case.words[1] == "--json":
        name = next(w for w in case.args[1:] if SYSTEM.fullmatch(w))
    if SYSTEM.fullmatch(name):
        way = case.option("-c", "--construction", default=default(name))
        if way == "cube-standard":
            raise Skip("a construction that does not exist")
        got = yield "gap", f"ReachNamed(ID, \"{name}\", \"{way}\", {limit});"
        got["construction"] = way
    else:
        doc = case.document()
        if doc is None:
            raise Skip("no document")
        got = yield "gap", reach_call(doc, limit)
    return judged(got, limit, doc)


def reach_call(doc, limit):
    """The question about a document."""
    if "group" in doc:
        mats, elements = group_letters(doc["group"])
        if mats is None:
            group = f"AsList(Group({','.join(elements)}))"
            return (f"g_ := {group};; ReachGroup(ID, List(g_, g -> PermutationMat(g, "
                    f"Maximum(1, LargestMovedPoint(g_)))), g_, {limit});")
        return f"ReachGroup(ID, [{','.join(mats)}], [{','.join(elements)}], {limit});"
    if "affine" in doc:
        initial, letters, _ = affine(doc)
        if is_group(doc):
            return f"ReachTransposed(ID, [{','.join(text.gap_matrix(a) for a, _ in letters)}], {limit});"
        pairs = ",".join(f"[{text.gap_matrix(a)},{text.gap_matrix(b or zero(a, len(initial[0])))}]" for a, b in letters)
        return f"ReachStates(ID, {text.gap_matrix(initial)}, [{pairs}], {min(limit, STATES)});"
    return f"ReachTransposed(ID, [{step(doc)}], {limit});"


def is_group(doc):
    """Are the states the products of the letters, so that their number is the order of a group?"""
    if doc is None or "affine" not in doc:
        return True
    initial, letters, _ = affine(doc)
    return identity(initial) and all(b is None for _, b in letters)


def judged(got, limit, doc):
    """What GAP found of a finite set, under the paths of the document; cut off where the limit cuts the search off."""
    states = got.pop("group", got.get("states"))
    kernel = got.pop("kernel", None)
    if states is None:
        return {}
    got.update({"states": states, "verdict": "finite", "limit": None, "edges": states * got["letters"], "witness": None})
    got["order"] = states if "levels.0" in got and is_group(doc) else None
    if kernel:
        got["states_per_element.0"] = got["states_per_element.1"] = kernel
    got["exit"] = 1 if got.get("decoder_consistent") is False else 0
    if states > limit:
        below = partial(got, limit)
        keep = {k: v for k, v in got.items() if k in ("letters", "dimension")}
        return {**keep, **below, "states": limit, "verdict": "undecided", "limit": "states", "exit": 3, "decoded": None,
                "decoder_consistent": None, "order": None}
    return got


def partial(got, limit):
    """Levels of a search that stops at a number of states."""
    found, level = {}, 0
    while limit > 0 and f"levels.{level}" in got:
        found[f"levels.{level}"] = min(limit, got[f"levels.{level}"])
        limit -= found[f"levels.{level}"]
        level += 1
    return found


def infinite(case):
    """The stated word is tried: do its powers ever repeat a state, and why not?"""
    doc, atoms = case.document(), text.Atoms()
    if "affine" in doc:
        initial, letters, names = affine(doc)
        start = f"mat({atoms.rows(initial)})"
        pairs = [f"[mat({atoms.rows(a)}),mat({atoms.rows(b or zero(a, len(initial[0])))})]" for a, b in letters]
        offsets = any(b is not None for _, b in letters)
    else:
        whole = by_pari.matrix(doc, atoms)
        start, pairs, names, offsets = f"{whole}^0", [f"[{whole},0*{whole}]"], None, False
    word, prefix = case.stated_list("witness.word"), case.stated_list("witness.prefix")
    names = names or word[:1] or ["?"]  # one matrix has no name in its document
    if not word and len(names) == 1:
        word = names
    if not word:
        raise Skip("an infinite set without its word")
    def numbers(some):
        return str([names.index(x) + 1 for x in some])
    got = yield "gp", (f"field({atoms.fields()}); shown(0, 0); infinite(ID, [{','.join(pairs)}], {start}, {int(offsets)}, "
                       f"{numbers(prefix)}, {numbers(word)})")
    kind = got.pop("kind", "no answer")
    if kind in ("repeats", "no answer"):
        return {"verdict": "not shown", "witness.kind": kind}
    return {"verdict": "infinite", "witness.kind": kind, "exit": 1, "order": None, "limit": None,
            "dimension": case.stated.get("dimension")}


def construct(case):
    name = case.args[1]
    letters = None
    if SYSTEM.fullmatch(name):
        group = f"Named(\"{name}\")"
    else:
        doc = case.document()
        if doc is not None and "group" not in doc:
            return (yield from by_pari.letters(doc, case))
        group, letters = group_of(case)
    g, h = case.stated.get("obstruction.g"), case.stated.get("obstruction.h")
    call = f"g_ := {group};; Construct(ID, g_, {letters or 'List(ConjugacyClasses(g_), Representative)'});"
    if g and h and "(" in g:
        call += f" Witness(ID, {g}, {h});"
    got = yield "gap", call
    return layers(case, got)


def group_of(case):
    """A document's group, and its letters if they are its generators (else None), as GAP has them."""
    path = case.args[1]
    if path.endswith((".g", ".gap")):
        with open(path, encoding="utf-8") as file:
            text_of = "".join(line for line in file if not line.startswith("#")).strip().rstrip(";")
        return f"Group({re.sub(r'[)] *[(]', ')*(', text_of)})", None  # GAP itself refuses cycles that meet
    doc = case.document()
    group = doc["group"]
    if "table" in group:
        return "Group([" + ",".join(f"PermList({[i + 1 for i in row]})" for row in group["table"]) + "])", None
    elements = [permutation(p) for p in group["generators"].values()]
    return f"Group({','.join(elements)})", f"[{','.join(elements)}]" if group.get("letters") == "generators" else None


def layers(case, got):
    """What GAP found of a group, under the paths of the document."""
    if "order" not in got:
        return {}
    verdict, count = got.pop("verdict"), got.get("series.count")
    out = {k: v for k, v in got.items() if k != "method"}
    if int(case.option("--max-order", default="10000")) < got["order"]:
        out = {k: v for k, v in out.items() if not k.startswith("series")}
    stopped = case.stated.get("one_layer.limit") is not None or case.option("--max-states") == "5"
    if not stopped:
        out["one_layer.verdict"] = verdict
    if got.get("method"):
        out["one_layer.method"] = got["method"]
    if count is not None and "series.count" in out:
        out.update({"series.exists": count > 0, "series.shortest": True if count else None})
        listed = sum(1 for p in case.stated if re.fullmatch(r"series\.layers\.\d+\.factor", p))
        if listed and "schema" in case.stated:  # the whole document: as many layers as are listed
            case.stated.setdefault("series.count", listed)
    if "so3.group" in out:
        out["series"] = None
    if verdict != "impossible":
        out["obstruction"] = None
    return out


def reduce(case):
    if case.option("--max-states"):
        raise Skip("limits of memory and time")
    if SYSTEM.fullmatch(case.args[1]):
        return reduced((yield "gap", f"ReduceNamed(ID, \"{case.args[1]}\", \"{default(case.args[1])}\");"))
    doc = case.document()
    if doc is None:
        raise Skip("no document")
    heads = doc.get("heads") or [doc["affine"]]
    names = list(heads[0]["letters"])
    initial = "[" + ",".join(text.gap_matrix(h["initial"]) for h in heads) + "]"
    def pair(head, name):
        x = head["letters"][name]
        offset = x.get("offset") or zero(x["matrix"], len(head["initial"][0]))
        return f"[{text.gap_matrix(x['matrix'])},{text.gap_matrix(offset)}]"
    letters = "[" + ",".join("[" + ",".join(pair(h, n) for h in heads) + "]" for n in names) + "]"
    if case.stated.get("verdict") in ("expansive", "infinite") or case.code == 1 and "shear" in case.args[1]:
        return (yield from witness(case, heads))
    return reduced((yield "gap", f"Reduce(ID, {initial}, {letters}, [{','.join(elements(doc, names))}]);"))


def reduced(got):
    """What GAP found of a reduction, under the paths of the document."""
    consistent = got.pop("consistent", True)
    if not consistent:
        return {"verdict": "no-decoder", "exit": 1}
    if "states" not in got:  # too many
        return {}
    got.update({"verdict": "reduced", "exit": 0, "verified": True})
    return got


def elements(doc, names):
    """The elements that the decoder gives to the letters; [] without a decoder."""
    decoder = doc.get("decoder")
    return [decoded(decoder["letters"][n], decoder["group"]) for n in names] if decoder else []


def decoded(word, group):
    """An element of a decoder's group: cycles, a generator's name, or e, r, s of Z_m and D2."""
    if isinstance(group, dict):
        word, group = group["generators"].get(word, word), "Z1"
    if isinstance(word, str) and word.startswith("("):
        return permutation(word) + "^-1"
    size = int(group[1:])
    if word in ("e", "0"):
        return "()"
    if group == "D2" and word in ("r", "1", "s"):
        return "(1,3)(2,4)" if word == "s" else "(1,2)(3,4)"
    if word in ("r", "1"):
        return "(" + ",".join(str(i + 1) for i in range(size)) + ")^-1" if size > 1 else "()^-1"
    raise Skip("elements by name")


def witness(case, heads):
    """A vector that a letter makes longer, or a word that never repeats."""
    atoms = text.Atoms()
    if case.stated.get("verdict") == "infinite":
        head = heads[0]
        names = list(head["letters"])
        mats = [f"[mat({atoms.rows(x['matrix'])}),0*mat({atoms.rows(head['initial'])})]" for x in head["letters"].values()]
        word = str([names.index(x) + 1 for x in case.stated_list("witness.word")])
        got = yield "gp", (f"field([]); shown(0, 0); infinite(ID, [{','.join(mats)}], mat({atoms.rows(head['initial'])}), "
                           f"0, [], {word})")
        return {"verdict": "infinite" if got.get("kind", "repeats") != "repeats" else "not shown", "exit": 1}
    letter = case.stated.get("witness.letter", "a")
    vector = case.stated_list("witness.vector") or ["-1", "1"]
    rows = atoms.rows(heads[0]["letters"][letter]["matrix"])
    got = yield "gp", f"field({atoms.fields()}); shown(0, 0); stretched(ID, mat({rows}), {atoms.vector(vector)}~)"
    return {"verdict": "expansive" if got.get("longer") else "not shown", "exit": 1}
