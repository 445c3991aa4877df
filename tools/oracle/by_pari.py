"""Spectra, decompositions, factors and sweeps: what PARI is asked.  (Oracles: see table.py.)"""
import re
from fractions import Fraction

import numbers_text as text
from cases import Skip


def matrix(doc, atoms):
    """A GP expression for the one matrix of a document, from the definition of its family."""
    v = atoms.vector
    if "product" in doc:
        return "*".join(matrix(part, atoms) for part in reversed(doc["product"]))
    if "matrix" in doc:
        return f"mat({atoms.rows(doc['matrix'])})"
    if "diagonal" in doc:
        return f"dpr({v(doc['diagonal'])},{v(doc['u'])},{v(doc['v'])})"
    if "permutation" in doc or "map" in doc:
        return f"images({doc.get('permutation', doc.get('map'))})"
    family = doc.get("family")
    if family in ("ckda", "kda"):
        return f"ckda({atoms.to_gp(doc['beta'])},{v(doc['key'])},{v(doc['gate'])})"
    if family == "rwkv7":
        return f"rwkv7({v(doc['decay'])},{v(doc['key'])},{v(doc['erase'])})"
    if family == "mdn":
        return "mdn(" + ",".join(atoms.to_gp(doc[k]) for k in ("alpha", "mu", "beta", "eta")) + f",{v(doc['key'])})"
    if family == "sfda":
        def complexes(xs):
            return "[" + ",".join(v(x if isinstance(x, list) else [x, "0"]) for x in xs) + "]"
        return f"sfda({atoms.to_gp(doc['beta'])},{complexes(doc['key'])},{complexes(doc['gate'])})"
    raise Skip("other documents")


def begin(case, atoms):
    """The field of the document, answers in the generator that the case states."""
    minpoly, root = poly_of(case, "field.minpoly"), case.stated.get("field.root")
    if root is None:
        minpoly, root = 0, 0  # our own generator, of which there is one for a square root
    return f"field({atoms.fields()}); shown({minpoly}, {root}); "


def poly_of(case, path):
    terms = [f"({case.stated[f'{path}.{i}']})*x^{i}" for i in range(100) if f"{path}.{i}" in case.stated]
    return "+".join(terms) or "0"


def need(case):
    doc = case.document()
    if doc is None:
        raise Skip("no document")
    return doc


def spectrum(case):
    doc, atoms = need(case), text.Atoms()
    whole = matrix(doc, atoms)
    parts = [matrix(part, atoms) for part in doc.get("product", [])]
    got = yield "gp", begin(case, atoms) + f"spectrum(ID, {whole}, [{', '.join(parts)}])"
    got["charpoly"] = polynomial([got.get(f"charpoly.{i}") for i in range(got.get("dimension", -1) + 1)])
    got["exit"] = 0
    return got


def polynomial(coefs):
    """As the text output writes it: x^2+3/4*a*x+1/4."""
    out = ""
    for i in range(len(coefs) - 1, -1, -1):
        c = str(coefs[i])
        if c != "0":
            x = "" if i == 0 else "x" if i == 1 else f"x^{i}"
            c = c if not re.search(r".[+-]", c) else f"({c})"
            term = x if c == "1" and x else "-" + x if c == "-1" and x else c + ("*" + x if x else "")
            out += term if term.startswith("-") or not out else "+" + term
    return out


# g_: the generator in which the stated numbers are written, as an element of PARI's field.
SHOWN_GENERATOR = "g_ = if(#basis[1,] > 1, basis[,2]~ * vectorv(#basis[,1], i, 'a^(i-1)) * one, 0);"


def shown(number):
    return re.sub(r"\ba\b", "g_", str(number))


def shown_list(numbers):
    return "[" + ",".join(map(shown, numbers)) + "]"


def decompose(case):
    doc, atoms = need(case), text.Atoms()
    whole = matrix(doc, atoms)  # before begin, which needs all atoms
    call = begin(case, atoms) + f"decompose(ID, {whole});"
    paths = ["", *(f"all.{i}." for i in range(32) if f"all.{i}.key.0" in case.stated)]
    for path in paths:
        key = case.stated_list(path + "key")
        if key:
            call += f" {SHOWN_GENERATOR} direction(ID, \"{path}key\", {shown_list(key)});"
    got = yield "gp", call
    for path in paths:
        match_representation(case, got, path)
    for path in [p for p in got if p.startswith("rep.")]:
        del got[path]
    got["exit"] = 0 if got.get("dpr1") else 1
    return got


def match_representation(case, got, path):
    """Into got: the signs and the key of the stated representation, if it is one of those found."""
    key, some_sign = case.stated_list(path + "key"), f"{path}signs.0" in case.stated
    count = got.get("representations", 0)
    size = len([p for p in got if p.startswith("rep.0.key.")])
    shown = [got.get(f"{path}key.dir.{i}") for i in range(len(key))]
    for r in range(count):
        signs = [int(s) for s in got[f"rep.{r}.signs"].strip("[]").split(",")]
        keys = [got[f"rep.{r}.key.{i}"] for i in range(size)]
        stated_signs = {int(p.rsplit(".", 1)[1]): v for p, v in case.stated.items()
                        if re.fullmatch(re.escape(path + "signs.") + r"\d+", p)}
        if len(key) in (0, size) and all(signs[i] == v for i, v in stated_signs.items()) and (not key or shown == keys):
            got.update({f"{path}signs.{i}": s for i, s in enumerate(signs)})
            got.update({f"{path}key.{i}": k for i, k in enumerate(key)})
            break
    else:
        if key or some_sign:
            got[f"{path}signs.0" if some_sign else f"{path}key.0"] = "no such representation"
    for p in [p for p in got if p.startswith(f"{path}key.dir.")]:
        del got[p]


def letters(doc, case):
    """Matrices of a user's own: which are one step, with the stated signs, and how many steps the others are."""
    atoms = text.Atoms()
    mats = [matrix(x, atoms) for x in doc["affine"]["letters"].values()] if "affine" in doc else [matrix(doc, atoms)]
    call = f"field({atoms.fields()}); shown(0, 0);" + "".join(f" letter(ID, \"letters.{i}\", {A});" for i, A in enumerate(mats))
    got = yield "gp", call
    found = {p: v for p, v in got.items() if p.startswith("letters.")}
    for i in range(len(mats)):
        at, signs = f"letters.{i}", case.stated_list(f"letters.{i}.signs")
        all_signs = [v for p, v in got.items() if p.startswith(f"signs.{at}.")]
        good = str(signs).replace("'", "") in all_signs
        found.update({f"{at}.signs.{k}": s if good else "no such representation" for k, s in enumerate(signs)})
        found[f"{at}.minimal"] = True if found.get(f"{at}.orthogonal") else None
    found["exit"] = 0 if all(found.get(f"letters.{i}.orthogonal") for i in range(len(mats))) else 1
    return found


KINDS = {"permutation": "permutation", "map": "map", "matrix": "rational"}


def factor(case):
    doc, atoms = need(case), text.Atoms()
    kind = case.option("--kind") or next((KINDS[k] for k in doc if k in KINDS), "contraction")
    listed = []
    while f"factors.{len(listed)}.key.0" in case.stated:
        at = f"factors.{len(listed)}"
        listed.append([case.stated[f"{at}.beta"], case.stated_list(at + ".key"), case.stated_list(at + ".gate")])
    whole = matrix(doc, atoms)
    exact = case.stated.get("evidence") != "instances"  # else enclosures, not an exact factorisation
    steps = ",".join(f"[{shown(b)},{shown_list(k)},{shown_list(g)}]" for b, k, g in listed if exact)
    if case.stated.get("field.minpoly.2") and listed and "field.root" in case.stated and not atoms.gp:
        # the factors live in a larger field than the matrix
        atoms.gp.append(f"atom_root({poly_of(case, 'field.minpoly')}, {case.stated['field.root']})")
    got = {}
    if steps or kind in ("orthogonal", "contraction"):  # else there is nothing for PARI to work out
        got = yield "gp", begin(case, atoms) + SHOWN_GENERATOR + f" factored(ID, \"{kind}\", {whole}, [{steps}]);"
    return judged(case, doc, kind, got, listed)


def judged(case, doc, kind, got, listed):
    """What PARI found of a factorisation, under the paths of the document."""
    points = doc.get("permutation", doc.get("map"))
    if case.stated.get("evidence") == "instances":
        got = {k: v for k, v in got.items() if k in ("norm_at_most_1", "orthogonal")}
    if kind == "permutation" and points and sorted(points) == list(range(len(points))):
        got["bound"] = got["least"] = len(points) - cycles(points)
    least = got.pop("least", None)
    if least is not None:
        got.setdefault("count", least if case.stated.get("minimal") else case.stated.get("count"))
        got["minimal"] = case.stated.get("count", got["count"]) == least
    if case.stated.get("minimal") is True and least is not None:
        got["count"] = least
    if got.get("orthogonal") is False or got.get("norm_at_most_1") is False:
        got.update({"verified": False, "factors": None, "minimal": None, "count": None})
        return got
    elif not listed:
        got.pop("dimension", None)
    if "count" in got and got["count"] is None:
        del got["count"]
    return got


def cycles(points):
    seen, count = set(), 0
    for start in range(len(points)):
        count += start not in seen
        while start not in seen:
            seen.add(start)
            start = points[start]
    return count


FIGURES = {"2": {"--x": "theta", "--y": "alpha", "--beta": "2"}, "11": {"--x": "beta", "--y": "alpha"}}
AXES = {"theta": "((1-(s)^2)/(1+(s)^2))^2", "alpha": "(2*(s)-1)", "beta": "(2*(s))"}


def sweep(case):
    """Cells by the discriminant of the 2 x 2 characteristic polynomial; of Figure 11 for the best of all keys."""
    figure = case.option("--figure")
    def option(name, default=None):
        return case.option(name) or FIGURES.get(figure, {}).get(name, default)
    count = int(option("--cells", "0"))
    cosine = option("--angles") == "cosine"
    value = {"beta": option("--beta"), "alpha": option("--alpha"), "second": option("--second", "1"), "theta": "free"}
    for axis, index in (("--x", "i"), ("--y", "j")):
        name = option(axis)
        value[name] = AXES[name].replace("s", f"{index}/{count}")
        if name == "theta" and cosine:
            value[name] = f"cos(Pi/2*{index}/{count})^2"
    kinds = ["real", "double", "pair", "circle"]
    call = (f"r = vector(4); for(j = 0, {count}, for(i = 0, {count}, v = cell({value['beta']}, {value['alpha']}, "
            f"{value['second']}, {value['theta']}); r[v + 1]++; say(ID, Str(\"cells.\", j, \".\", i), v))); ")
    got = yield "gp", call + " ".join(f"say(ID, \"counts.{n}\", r[{i + 1}]);" for i, n in enumerate(kinds))
    got["exit"] = 0
    if cosine:
        got.update({f"y.values.{j}": str(Fraction(90 * j, count)) for j in range(count + 1)})
    return got
