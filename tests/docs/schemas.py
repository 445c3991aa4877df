#!/usr/bin/env python3
"""Are real outputs what docs/schemas says?  One TAP line a document.

    schemas.py CKDA CKDA_MINI

Each document is checked by json_schema.py, which also tells keys that no schema describes, and
by python3-jsonschema where that is installed.  Certificates are checked line by line.  Each
schema is also shown to refuse: a document under another schema's name, one that lacks any one
of its required keys, and one with a wrong kind of value under any one of them.
"""
import json
import pathlib
import sys

import json_schema
import samples

try:
    import jsonschema
    Other = jsonschema.Draft202012Validator
except (ImportError, AttributeError):
    Other = None

FOLDER = samples.ROOT / "docs" / "schemas"


class Tap:
    def __init__(self):
        self.count, self.wrong = 0, 0

    def line(self, complaints, name):
        self.count += 1
        self.wrong += bool(complaints)
        print(f"{'not ok' if complaints else 'ok'} {self.count} - {name}", flush=True)
        print("".join(f"# {c}\n" for c in complaints[:12]), end="")


def complaints(document, schema):
    found = list(json_schema.problems(document, schema, schema))
    if Other is not None and bool(found) != (not Other(schema).is_valid(document)):
        found.append("python3-jsonschema does not agree")
    return found


def check(tap, name, expected, document, schemas):
    if not isinstance(document, dict):
        tap.line(["not one JSON document"], name)
        return
    schema = schemas.get(document.get("schema"))
    if schema is None or document["schema"] != (expected or document["schema"]):
        tap.line([f"no schema for {document.get('schema')}, expected {expected}"], name)
        return
    unknown = sorted(set(json_schema.undescribed(document, schema, schema)))
    tap.line(complaints(document, schema) + [f"not described: {key}" for key in unknown], name)


def check_certificate(tap, name, lines, schema):
    """python3-jsonschema sees one line of each kind: it is slow."""
    kinds, found = {}, [] if lines else ["no lines"]
    for number, line in enumerate(lines, 1):
        problems = list(json_schema.problems(line, schema, schema)) + list(json_schema.undescribed(line, schema, schema))
        found += [f"line {number}: {p}" for p in problems]
        kinds.setdefault(tuple(sorted(line)) if isinstance(line, dict) else "none", line)
    for line in kinds.values():
        found += complaints(line, schema)
    tap.line(found, f"{name}: {len(lines)} lines")


def spoilt(document, required):
    """What the document must not be taken for: texts and documents."""
    yield "another name", dict(document, schema="ckda.other/1")
    for key in required:
        yield f"no {key}", {k: v for k, v in document.items() if k != key}
        # Where every kind of value is right, a schema says nothing; one of these has to be wrong.
        yield f"wrong kinds of {key}", [dict(document, **{key: value}) for value in (-1, "?", [[]], {"?": 0}, True)]


def required_keys(schema):
    """Of a form that has several kinds of documents: what they share."""
    if "required" in schema:
        return schema["required"]
    parts = [json_schema.resolved(part, schema) for part in schema["anyOf"]]
    if "header" in schema["$defs"]:  # of a certificate: a document is its first line
        parts = parts[:1]
    return [key for key in parts[0]["required"] if all(key in part["required"] for part in parts)]


def check_refusals(tap, document, schema, required):
    found = []
    for what, worse in spoilt(document, required):
        accepted = [not complaints(w, schema) for w in (worse if isinstance(worse, list) else [worse])]
        found += [f"accepted: {what}"] if all(accepted) else []
    tap.line(found, f"{document['schema']}: damaged documents are refused ({1 + 2 * len(required)} kinds of damage)")


def main():
    schemas = {}
    tap = Tap()
    for file in sorted(FOLDER.glob("*.json")):
        schema = json.loads(file.read_text(encoding="utf-8"))
        schemas[f"ckda.{file.stem}/1"] = schema
        tap.line([] if schema["$id"] == f"urn:ckda:{file.stem}:1" and schema["title"] else ["$id or title"],
                 f"{file.name} says what it is")
    seen = {}
    ckda, mini = (str(pathlib.Path(program).resolve()) for program in sys.argv[1:3])
    for name, lines in samples.of_certificates(ckda):
        check_certificate(tap, name, lines, schemas["ckda.cert/1"])
        seen.setdefault("ckda.cert/1", lines[0] if lines else None)
    for source in (samples.of_gpu(), samples.of_ckda(ckda), samples.of_folder(ckda), samples.of_golden(mini, ckda)):
        for name, expected, document in source:
            check(tap, name, expected, document, schemas)
            if isinstance(document, dict):
                seen.setdefault(document.get("schema"), document)
    for name, schema in sorted(schemas.items()):
        tap.line([] if name in seen else ["no sample"], f"{name} has a sample")
        if seen.get(name):
            check_refusals(tap, seen[name], schema, required_keys(schema))
    print(f"1..{tap.count}")
    return 1 if tap.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
