#!/usr/bin/env python3
"""Are real outputs what docs/schemas says?  One TAP line a document.

    schemas.py CKDA CKDA_MINI

Each document is checked by json_schema.py, which also tells keys that no schema describes, and
by python3-jsonschema where that is installed.  Each schema is also shown to refuse: a
document without its first required key, and one with another schema's name.
"""
import copy
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


def check_refusals(tap, document, schema):
    without = copy.deepcopy(document)
    del without["schema"]
    tap.line([] if complaints(without, schema) else ["accepted"], f"{document['schema']} without its name is refused")
    other = dict(document, schema="ckda.other/1")
    tap.line([] if complaints(other, schema) else ["accepted"], f"{document['schema']} under another name is refused")


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
    for source in (samples.of_ckda(ckda), samples.of_golden(mini, ckda)):
        for name, expected, document in source:
            check(tap, name, expected, document, schemas)
            if isinstance(document, dict):
                seen.setdefault(document.get("schema"), document)
    for name, schema in sorted(schemas.items()):
        tap.line([] if name in seen else ["no sample"], f"{name} has a sample")
        if name in seen:
            check_refusals(tap, seen[name], schema)
    print(f"1..{tap.count}")
    return 1 if tap.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
