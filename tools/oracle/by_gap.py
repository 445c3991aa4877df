"""Reachable sets, constructions and reductions: what GAP is asked.  (Words that make a set infinite go to PARI.)"""
import re

import numbers_text as text
from by_pari import Skip, stated_list

SYSTEM = re.compile(r"[ZDSA]\d+")
DEFAULT = {"Z": "planar", "D": "planar", "A4": "cube", "S4": "cube", "A5": "quaternion"}
FAR = 10**7


def default(name):
    return DEFAULT.get(name) or DEFAULT.get(name[0], "householder")


def permutation(word):
    """Cycles from 1 or images from 0, as GAP writes them."""
    if isinstance(word, list):
        return f"PermList({[i + 1 for i in word]})"
    return "()" if word in ("e", "()") else word.replace(" ", "")


def generator(field):
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
    if "affine" in doc:
        system = doc["affine"]
        letters = [(x["matrix"], x.get("offset")) for x in system["letters"].values()]
        return system["initial"], letters, list(system["letters"])
    raise Skip("other documents")


def identity(matrix):
    return all(str(x) == str(int(i == j)) for i, row in enumerate(matrix) for j, x in enumerate(row)) \
        and len(matrix) == len(matrix[0])


def zero(matrix, columns):
    return [["0"] * columns for _ in matrix]


def reach(case):
    if case.code in (2, 4):
        raise Skip("wrong usage" if case.code == 2 else "refused input, unwritable output")
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
    if "group" in doc:
        mats, elements = group_letters(doc["group"])
        if mats is None:
            group = f"AsList(Group({','.join(elements)}))"
            return (f"g_ := {group};; ReachGroup(ID, List(g_, g -> PermutationMat(g, "
                    f"Maximum(1, LargestMovedPoint(g_)))), g_, {limit});")
        return f"ReachGroup(ID, [{','.join(mats)}], [{','.join(elements)}], {limit});"
    if "affine" in doc:
        initial, letters, _ = affine(doc)
        if identity(initial) and all(b is None for _, b in letters):
            return f"ReachTransposed(ID, [{','.join(text.gap_matrix(a) for a, _ in letters)}], {limit});"
        pairs = ",".join(f"[{text.gap_matrix(a)},{text.gap_matrix(b or zero(a, len(initial[0])))}]" for a, b in letters)
        return f"ReachStates(ID, {text.gap_matrix(initial)}, [{pairs}], {min(limit, 20000)});"
    return f"ReachTransposed(ID, [{step(doc)}], {limit});"


def judged(got, limit, doc):
    states = got.pop("group", got.get("states"))
    kernel = got.pop("kernel", None)
    full = "levels.0" in got and (doc is None or "affine" not in doc or identity(doc["affine"]["initial"]))
    if states is None:
        return {}
    got.update({"states": states, "verdict": "finite", "limit": None, "edges": states * got["letters"], "witness": None})
    got["order"] = states if full and not (doc and "affine" in doc and any(
        "offset" in x for x in doc["affine"]["letters"].values())) else None
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
    import by_pari  # noqa: PLC0415 - only for the matrices of families
    if "affine" in doc:
        initial, letters, names = affine(doc)
        start = f"mat({atoms.rows(initial)})"
        pairs = [f"[mat({atoms.rows(a)}),mat({atoms.rows(b or zero(a, len(initial[0])))})]" for a, b in letters]
        offsets = any(b is not None for _, b in letters)
    else:
        whole = by_pari.matrix(doc, atoms)
        start, pairs, names, offsets = f"{whole}^0", [f"[{whole},0*{whole}]"], None, False
    word = stated_list(case, "witness.word")
    prefix = stated_list(case, "witness.prefix")
    if names is None:
        names = word[:1] or ["?"]
    if not word and len(names) == 1:
        word = names
    if not word:
        raise Skip("an infinite set without its word")
    def numbers(letters_):
        return str([names.index(x) + 1 for x in letters_])
    got = yield "gp", (f"field({atoms.fields()}); shown(0, 0); infinite(ID, [{','.join(pairs)}], {start}, {int(offsets)}, "
                       f"{numbers(prefix)}, {numbers(word)})")
    kind = got.pop("kind", "no answer")
    if kind in ("repeats", "no answer"):
        return {"verdict": "not shown", "witness.kind": kind}
    return {"verdict": "infinite", "witness.kind": kind, "exit": 1, "order": None, "limit": None,
            "dimension": case.stated.get("dimension")}


def construct(case):
    if case.code in (2, 4):
        raise Skip("wrong usage" if case.code == 2 else "refused input, unwritable output")
    name = case.args[1]
    letters = None
    if SYSTEM.fullmatch(name):
        group = f"Named(\"{name}\")"
    else:
        group, letters = group_of(case)
    g, h = case.stated.get("obstruction.g"), case.stated.get("obstruction.h")
    call = f"g_ := {group};; Construct(ID, g_, {letters or 'List(ConjugacyClasses(g_), Representative)'});"
    if g and h and "(" in g:
        call += f" Witness(ID, {g}, {h});"
    got = yield "gap", call
    return layers(case, got)


def group_of(case):
    path = case.args[1]
    if path.endswith(".g"):
        with open(path, encoding="utf-8") as file:
            return "Group(" + "".join(line for line in file if not line.startswith("#")).strip() + ")", None
    doc = case.document()
    group = doc.get("group")
    if group is None:
        raise Skip("matrices of a user's own: see the decompositions")
    if "table" in group:
        return "Group([" + ",".join(f"PermList({[i + 1 for i in row]})" for row in group["table"]) + "])", None
    elements = [permutation(p) for p in group["generators"].values()]
    return f"Group({','.join(elements)})", f"[{','.join(elements)}]" if group.get("letters") == "generators" else None


def layers(case, got):
    if "order" not in got:
        return {}
    verdict, count = got.pop("verdict"), got.get("series.count")
    out = {k: v for k, v in got.items() if k not in ("forbidden", "method")}
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
    if case.code in (2, 4):
        raise Skip("wrong usage" if case.code == 2 else "refused input, unwritable output")
    if case.option("--max-states"):
        raise Skip("limits of memory and time")
    doc = None if SYSTEM.fullmatch(case.args[1]) else case.document()
    if doc is None:
        raise Skip("a built-in tracker is its own reduction")
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
    got = yield "gap", f"Reduce(ID, {initial}, {letters}, [{','.join(elements(doc, names))}]);"
    consistent = got.pop("consistent", True)
    if not consistent:
        return {"verdict": "no-decoder", "exit": 1}
    got.update({"verdict": "reduced", "exit": 0, "verified": True})
    return got


def elements(doc, names):
    decoder = doc.get("decoder")
    if not decoder:
        return []
    known = decoder["group"]["generators"] if isinstance(decoder["group"], dict) else {}
    def one(word):
        word = known.get(word, word)
        if isinstance(word, str) and word.startswith("("):
            return permutation(word) + "^-1"
        size = decoder["group"][1:] if isinstance(decoder["group"], str) else "1"
        cycle = "(" + ",".join(str(i + 1) for i in range(int(size))) + ")" if int(size) > 1 else "()"
        if word in ("e", "0"):
            return "()"
        if word == "r" or word == "1":
            return cycle + "^-1" if decoder["group"] != "D2" else "(1,2)(3,4)"
        if word == "s" and decoder["group"] == "D2":
            return "(1,3)(2,4)"
        raise Skip("elements by name")
    return [one(decoder["letters"][n]) for n in names]


def witness(case, heads):
    """A vector that a letter makes longer, or a word that never repeats."""
    atoms = text.Atoms()
    if case.stated.get("verdict") == "infinite":
        head = heads[0]
        names = list(head["letters"])
        mats = [f"[mat({atoms.rows(x['matrix'])}),0*mat({atoms.rows(head['initial'])})]" for x in head["letters"].values()]
        word = str([names.index(x) + 1 for x in stated_list(case, "witness.word")])
        got = yield "gp", f"field([]); shown(0, 0); infinite(ID, [{','.join(mats)}], mat({atoms.rows(head['initial'])}), 0, [], {word})"
        return {"verdict": "infinite" if got.get("kind", "repeats") != "repeats" else "not shown", "exit": 1}
    letter = case.stated.get("witness.letter", "a")
    vector = stated_list(case, "witness.vector") or ["-1", "1"]
    rows = atoms.rows(heads[0]["letters"][letter]["matrix"])
    got = yield "gp", f"field({atoms.fields()}); shown(0, 0); stretched(ID, mat({rows}), {atoms.vector(vector)}~)"
    return {"verdict": "expansive" if got.get("longer") else "not shown", "exit": 1}
