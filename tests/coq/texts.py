"""Ledger texts as trees: a second reader of the language of docs/identities.md.

Written from that page; it shares nothing with src/sym.  A tree is a Node with a shape; names
defined by "let" stay names (kind "Def"), everything else that is an abbreviation is written out
in the constructors of Language.v.
"""
import itertools
import re
from fractions import Fraction

TOKEN = re.compile(r"\s*(?:(\d+)|([A-Za-z_]\w*)|(==|!=|>=|<=|[-+*/^'()\[\],;<>]))")
PARAMETERS = 1000  # numbers of the parameters of a sample: from here on, behind all variables


class Wrong(Exception):
    """A text that is not in the language."""


class Node:
    """kind, children, other arguments (numbers, indices), shape; name of a variable or "let"."""

    __slots__ = ("kind", "kids", "args", "rows", "cols", "name", "target")

    def __init__(self, kind, kids=(), args=(), shape=(1, 1), name=None, target=None):
        self.kind, self.kids, self.args = kind, tuple(kids), tuple(args)
        self.rows, self.cols = shape
        self.name, self.target = name, target

    @property
    def shape(self):
        return self.rows, self.cols

    @property
    def scalar(self):
        return self.shape == (1, 1)


# ---- building, with shapes ----

def num(x):
    return Node("Num", args=[Fraction(x)])


def const(x, m, n):
    return num(x) if m == n == 1 else Node("Const", args=[Fraction(x), m, n], shape=(m, n))


def eye(n):
    return num(1) if n == 1 else Node("Eye", args=[n], shape=(n, n))


def unit(n, i):
    return Node("Unit", args=[n, i], shape=(n, 1))


def same(a, b, what):
    if a.shape != b.shape:
        raise Wrong(f"{what} of {a.shape} and {b.shape}")


def add(a, b):
    same(a, b, "sum")
    return Node("Add", [a, b], shape=a.shape)


def sub(a, b):
    same(a, b, "difference")
    return Node("Sub", [a, b], shape=a.shape)


def mul(a, b):
    if a.scalar:
        return Node("Mul", [a, b], shape=b.shape)
    if b.scalar:
        return Node("Mul", [a, b], shape=a.shape)
    if a.cols != b.rows:
        raise Wrong(f"product of {a.shape} and {b.shape}")
    return Node("Mul", [a, b], shape=(a.rows, b.cols))


def div(a, b):
    if not b.scalar:
        raise Wrong("division by a matrix")
    return Node("Div", [a, b], shape=a.shape)


def neg(a):
    return Node("Neg", [a], shape=a.shape)


def square(a, what):
    if a.rows != a.cols:
        raise Wrong(f"{what} of a {a.shape} matrix")
    return a


def inverse(a):
    return Node("Inv", [square(a, "inverse")], shape=a.shape)


def power(a, n):
    square(a, "power")
    if n < 0:
        return power(inverse(a), -n)
    if n == 0:
        return eye(a.rows)
    return a if n == 1 else Node("Pow", [a], [n], a.shape)


def trans(a):
    return a if a.scalar else Node("Trans", [a], shape=(a.cols, a.rows))


def part(a, i, j, m, n):
    if i < 0 or j < 0 or m < 1 or n < 1 or i + m > a.rows or j + n > a.cols:
        raise Wrong("part outside of the matrix")
    return a if (m, n) == a.shape else Node("Part", [a], [i, j, m, n], (m, n))


def stack(blocks):
    r = blocks[-1]
    for b in reversed(blocks[:-1]):
        if b.cols != r.cols:
            raise Wrong("rows of different widths")
        r = Node("Stack", [b, r], shape=(b.rows + r.rows, r.cols))
    return r


def beside(blocks):
    r = blocks[-1]
    for b in reversed(blocks[:-1]):
        if b.rows != r.rows:
            raise Wrong("blocks of different heights")
        r = Node("Beside", [b, r], shape=(r.rows, b.cols + r.cols))
    return r


def block_matrix(rows):
    return stack([beside(r) for r in rows])


def diag(items):
    if len(items) == 1 and items[0].cols == 1 and items[0].rows > 1:
        return Node("Diag", items, shape=(items[0].rows,) * 2)
    for a in items:
        square(a, "diag")
    return block_matrix([[a if i == j else const(0, a.rows, b.cols) for j, b in enumerate(items)]
                         for i, a in enumerate(items)])


def column(a, n=None):
    if a.cols != 1 or (n is not None and a.rows != n):
        raise Wrong("expected a column" + (f" of length {n}" if n else ""))
    return a


def variable(a):
    if a.kind != "Var":
        raise Wrong("expected a variable")
    return a


def without_names(a):
    """The tree with every name replaced by what it stands for (below diff and subst)."""
    if a.kind == "Def":
        return without_names(a.target)
    kids = [without_names(k) for k in a.kids]
    if all(k is old for k, old in zip(kids, a.kids)):
        return a
    return Node(a.kind, kids, a.args, a.shape, a.name, a.target)


def minor2(a):
    m, n = a.rows * (a.rows - 1) // 2, a.cols * (a.cols - 1) // 2
    if m == 0 or n == 0:
        raise Wrong("no second compound")
    return Node("Minor2", [a], shape=(m, n))


FUNCTIONS = {
    "det": lambda a: Node("Det", [square(a, "det")]),
    "adj": lambda a: Node("Adj", [square(a, "adj")], shape=a.shape),
    "inv": inverse,
    "tr": lambda a: Node("Tr", [square(a, "trace")]),
    "dot": lambda u, v: mul(trans(column(u)), column(v, u.rows)),
    "house": lambda c, w: sub(eye(column(w).rows), mul(mul(c, w), trans(w))),
    "vec": lambda a: Node("Vec", [a], shape=(a.rows * a.cols, 1)),
    "minor2": minor2,
    "cross": lambda a: Node("Cross", [column(a, 3)], shape=(3, 3)),
    "qmul": lambda p, q: Node("Qmul", [column(p, 4), column(q, 4)], shape=(4, 1)),
    "qconj": lambda p: Node("Qconj", [column(p, 4)], shape=(4, 1)),
    "quat": lambda p, q: Node("Quat", [column(p, 4), column(q, 4)], shape=(4, 4)),
    "rot": lambda p: part(Node("Quat", [column(p, 4), p], shape=(4, 4)), 1, 1, 3, 3),
    "charpoly": lambda a, x: Node("Det", [sub(mul(variable(x), eye(square(a, "charpoly").rows)), a)]),
    "diff": lambda f, x: Node("Diff", [without_names(f)], [variable(x).args[0]], f.shape),
    "subst": lambda f, x, g: Node("Subst", [without_names(f), without_names(g)],
                                  [variable(x).args[0]], f.shape),
}
# functions of integers
INTEGERS = {
    "eye": lambda n: eye(n),
    "zeros": lambda m, n: const(0, m, n),
    "ones": lambda m, n: const(1, m, n),
    "unit": lambda n, i: unit(n, i - 1) if 1 <= i <= n else outside(),
}
# functions whose arguments after the first are integers, which count from 1
PARTS = {
    "entry": lambda a, i, j: part(a, i - 1, j - 1, 1, 1),
    "row": lambda a, i: part(a, i - 1, 0, 1, a.cols),
    "col": lambda a, j: part(a, 0, j - 1, a.rows, 1),
    "sub": lambda a, i1, i2, j1, j2: part(a, i1 - 1, j1 - 1, i2 - i1 + 1, j2 - j1 + 1),
}


def outside():
    raise Wrong("index outside")


def constant(a):
    """The value of a scalar without variables, or None."""
    if a.kind == "Num":
        return a.args[0]
    if not a.scalar:
        return None
    v = [constant(k) for k in a.kids]
    if a.kind not in ("Add", "Sub", "Mul", "Div", "Neg", "Pow") or None in v:
        return None
    if a.kind == "Div" and v[1] == 0:
        raise Wrong("division by zero")
    return {"Add": lambda: v[0] + v[1], "Sub": lambda: v[0] - v[1], "Mul": lambda: v[0] * v[1],
            "Div": lambda: v[0] / v[1], "Neg": lambda: -v[0], "Pow": lambda: v[0] ** a.args[0]}[a.kind]()


def integer(a):
    v = constant(a)
    if v is None or v.denominator != 1:
        raise Wrong("expected an integer")
    return int(v)


class Parser:
    """One text.  names: variables and "let" definitions; bound: indices of sums."""

    def __init__(self, text, names):
        self.text, self.names, self.bound = text, names, {}
        self.tokens, at = [], 0
        end = len(text.rstrip())
        while at < end:
            m = TOKEN.match(text, at)
            if m is None:
                raise Wrong(f"cannot read {text[at:at + 20]!r}")
            self.tokens.append(m.group(1) or m.group(2) or m.group(3))
            at = m.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def eat(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def want(self, token):
        if not self.eat(token):
            raise Wrong(f"expected {token!r}, found {self.peek()!r} in {self.text!r}")

    def expression(self):
        a = self.term()
        while self.peek() in ("+", "-"):
            plus = self.eat("+") or not self.eat("-")
            b = self.term()
            a = add(a, b) if plus else sub(a, b)
        return a

    def term(self):
        a = self.unary()
        while self.peek() in ("*", "/"):
            times = self.eat("*") or not self.eat("/")
            b = self.unary()
            a = mul(a, b) if times else div(a, b)
        return a

    def unary(self):
        minus = False
        while self.peek() in ("+", "-"):
            minus ^= not self.eat("+") and self.eat("-")
        a = self.postfix()
        return neg(a) if minus else a

    def postfix(self):
        a = self.primary()
        while True:
            if self.eat("'"):
                a = trans(a)
            elif self.eat("^"):
                minus = self.eat("-")
                n = integer(self.primary())
                if self.peek() == "^":
                    raise Wrong("'^' after '^'")
                a = power(a, -n if minus else n)
            elif self.eat("["):
                i = integer(self.expression())
                j = integer(self.expression()) if self.eat(",") else None
                self.want("]")
                if j is None:
                    if 1 not in a.shape:
                        raise Wrong("a matrix needs two indices")
                    i, j = (i, 1) if a.cols == 1 else (1, i)
                a = part(a, i - 1, j - 1, 1, 1)
            else:
                return a

    def primary(self):
        t = self.peek()
        if t is None:
            raise Wrong(f"unexpected end of {self.text!r}")
        self.at += 1
        if t.isdigit():
            return num(int(t))
        if t == "(":
            a = self.expression()
            self.want(")")
            return a
        if t == "[":
            rows = [[self.expression()]]
            while self.peek() in (",", ";"):
                if self.eat(","):
                    rows[-1].append(self.expression())
                else:
                    self.want(";")
                    rows.append([self.expression()])
            self.want("]")
            return block_matrix(rows)
        if t in self.bound:
            return num(self.bound[t])
        if self.peek() == "(" and t not in self.names:
            return self.call(t)
        if t in self.names:
            return self.names[t]
        raise Wrong(f"unknown name {t!r} in {self.text!r}")

    def call(self, name):
        self.want("(")
        if name in ("genmat", "gencol", "gendiag"):
            return self.family(name)
        if name == "sum":
            return self.sum()
        items = [self.expression()]
        while self.eat(","):
            items.append(self.expression())
        self.want(")")
        try:
            if name == "diag":
                return diag(items)
            if name in INTEGERS:
                return INTEGERS[name](*map(integer, items))
            if name in PARTS:
                return PARTS[name](items[0], *map(integer, items[1:]))
            return FUNCTIONS[name](*items)
        except KeyError:
            raise Wrong(f"unknown function {name!r}") from None
        except TypeError as e:
            raise Wrong(f"{name}: {e}") from None

    def family(self, name):
        base = self.peek()
        self.at += 1
        sizes = []
        while self.eat(","):
            sizes.append(integer(self.expression()))
        self.want(")")
        gap = "_" if max(sizes) > 9 else ""
        find = lambda *i: self.names[base + gap.join(map(str, i))]
        try:
            if name == "genmat":
                return block_matrix([[find(i + 1, j + 1) for j in range(sizes[1])]
                                     for i in range(sizes[0])])
            col = stack([find(i + 1) for i in range(sizes[0])])
        except KeyError as e:
            raise Wrong(f"{e} is not a variable") from None
        return col if name == "gencol" else diag([col])

    def sum(self):
        index = self.peek()
        self.at += 1
        self.want(",")
        low = integer(self.expression())
        self.want(",")
        high = integer(self.expression())
        self.want(",")
        if high < low or index in self.names:
            raise Wrong("an empty sum, or its index is taken")
        body, total, outer = self.at, None, self.bound.get(index)
        for i in range(low, high + 1):
            self.at, self.bound[index] = body, i
            t = self.expression()
            total = t if total is None else add(total, t)
        if outer is None:
            del self.bound[index]
        else:
            self.bound[index] = outer
        self.want(")")
        return total

    def end(self, result):
        if self.peek() is not None:
            raise Wrong(f"{self.peek()!r} after the end of {self.text!r}")
        return result


def expression(text, names):
    p = Parser(text, names)
    return p.end(p.expression())


def statement(text, names):
    """("eq", a, b), ("cmp", order, a, b), ("psd", a) or ("divides", f, g, x); a < b is b > a."""
    p = Parser(text, names)
    if p.eat("psd"):
        return p.end(("psd", square(p.expression(), "psd")))
    if p.peek() == "divides":
        p.at += 1
        p.want("(")
        f = p.expression()
        p.want(",")
        g = p.expression()
        p.want(",")
        x = variable(p.expression())
        p.want(")")
        return p.end(("divides", f, g, x))
    a = p.expression()
    sign = p.peek()
    if sign not in ("==", "!=", ">=", ">", "<=", "<"):
        raise Wrong(f"expected a comparison in {text!r}")
    p.at += 1
    b = p.end(p.expression())
    if sign == "==":
        if b.kind == "Num" and b.args[0] == 0:
            b = const(0, *a.shape)
        same(a, b, "equation")
        return "eq", a, b
    if not a.scalar or not b.scalar:
        raise Wrong("an inequality of matrices")
    if sign in ("<=", "<"):
        a, b = b, a
    return "cmp", {"!=": "Ne", ">=": "Ge", "<=": "Ge", ">": "Gt", "<": "Gt"}[sign], a, b


# ---- the input of the built-in check: copies and layers ----

def arithmetic(text, names):
    """Integer arithmetic between braces; / rounds down."""
    if isinstance(names.get(text), str):
        return names[text]
    if not re.fullmatch(r"[\w+\-*/() ]+", text):
        raise Wrong(f"in braces: {text!r}")
    code = re.sub(r"[A-Za-z_]\w*", lambda m: f"({names[m.group(0)]})", text.replace("/", "//"))
    return str(eval(code, {"__builtins__": {}}))  # digits and + - * // ( ) only


def filled(text, names):
    return re.sub(r"\{([^{}]*)\}", lambda m: arithmetic(m.group(1), names), text)


def declared(items):
    """Names of variables, families written out."""
    names = []
    for item in items:
        m = re.fullmatch(r"([A-Za-z_]\w*)(?:\[(\d+)(?:, *(\d+))?\])?", item)
        if m is None:
            raise Wrong(f"variable {item!r}")
        base, rows, cols = m.group(1), m.group(2), m.group(3)
        if rows is None:
            names.append(base)
            continue
        gap = "_" if max(int(rows), int(cols or 0)) > 9 else ""
        for i in range(1, int(rows) + 1):
            names += [f"{base}{i}{gap}{j}" for j in range(1, int(cols) + 1)] if cols else [f"{base}{i}"]
    return names


class Theory:
    """One copy of one theory.  texts: what it was read from, for comparison and comments."""

    def __init__(self, layers, bound, where):
        get = lambda key: [x for layer in layers for x in layer.get(key, [])]
        fill = lambda text: filled(text, bound)
        self.where = where
        self.variables = declared(map(fill, get("variables")))
        self.parameters = [fill(p) for p in get("parameters")]
        self.holds_texts = [fill(h) for h in get("holds")]
        let = [(fill(n), fill(e)) for n, e in get("let")]
        relations, assume = [fill(r) for r in get("relations")], [fill(a) for a in get("assume")]
        sample = {fill(k): fill(v) for layer in layers for k, v in layer.get("sample", {}).items()}
        self.texts = repr((self.variables, let, relations, assume, self.holds_texts))
        names = {v: Node("Var", args=[i], name=v) for i, v in enumerate(self.variables)}
        if len(names) != len(self.variables):
            raise Wrong("a variable is declared twice")
        self.let = []
        for i, (name, text) in enumerate(let):
            tree = expression(text, names)
            if name in names:
                raise Wrong(f"{name} is already defined")
            names[name] = Node("Def", args=[i], shape=tree.shape, name=name, target=tree)
            self.let.append((name, text, tree))
        self.relations = [statement(r, names)[1:] for r in relations]
        self.assume = [statement(a, names)[1:] for a in assume]
        inner = dict(names)
        for i, p in enumerate(self.parameters):
            inner[p] = Node("Var", args=[PARAMETERS + i], name=p)
        self.sample = {self.variables.index(k): expression(v, inner) for k, v in sample.items()}
        self.holds = [statement(h, names) for h in self.holds_texts]


def copies(layer, bound):
    """All ways to give the names of "for" their values."""
    loops = layer.get("for", {})
    for values in itertools.product(*loops.values()):
        yield {**bound, **dict(zip(loops, values))}


def theories(document):
    """Every copy of every theory of an input."""
    n = 0
    for outer in copies(document, {}):
        for k, inner in enumerate(document.get("theories", [{}])):
            for bound in copies(inner, outer):
                n += 1
                layers = [document, inner] if "theories" in document else [document]
                note = ", ".join(f"{a} = {b}" for a, b in bound.items())
                yield Theory(layers, bound, f"theory {k + 1}" + (f", {note}" if note else ""))
