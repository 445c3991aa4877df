"""The part of JSON Schema (draft 2020-12) that docs/schemas uses, and nothing more.

A keyword that is not known here is an error, so a schema cannot say more than is checked.
`problems` checks a document; `undescribed` lists the keys that a schema does not mention.
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
KNOWN = {"$schema", "$id", "$ref", "$defs", "$comment", "title", "description", "type", "properties", "required", "items",
         "additionalProperties", "enum", "const", "anyOf", "pattern", "minimum", "maximum", "minItems", "maxItems"}


def has_type(value, name):
    if name in ("integer", "number"):
        return isinstance(value, int if name == "integer" else (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def resolved(schema, root):
    while "$ref" in schema:
        path = schema["$ref"]
        assert path.startswith("#/$defs/"), path
        schema = root["$defs"][path[len("#/$defs/"):]]
    return schema


def simple(value, schema, at):
    """Keywords about the value itself."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(has_type(value, t) for t in types):
        yield f"{at}: {value!r:.60} is not of type {' or '.join(types)}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at}: {value!r:.60} is none of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{at}: {value!r:.60} is not {schema['const']!r}"
    if "pattern" in schema and isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"{at}: {value!r:.60} does not match {schema['pattern']}"
    if has_type(value, "number"):
        if value < schema.get("minimum", value):
            yield f"{at}: {value} is below {schema['minimum']}"
        if value > schema.get("maximum", value):
            yield f"{at}: {value} is above {schema['maximum']}"


def members(value, schema, root, at):
    """Keywords about what the value holds."""
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{at}: no key {key!r}"
        for key, part in value.items():
            if key in schema.get("properties", {}):
                yield from problems(part, schema["properties"][key], root, f"{at}/{key}")
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from problems(part, schema["additionalProperties"], root, f"{at}/{key}")
            elif schema.get("additionalProperties") is False:
                yield f"{at}: unexpected key {key!r}"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{at}: {len(value)} items"
        for i, part in enumerate(value):
            yield from problems(part, schema.get("items", {}), root, f"{at}/{i}")


def problems(value, schema, root, at=""):
    """Everything in which the value differs from the schema, as texts."""
    unknown = set(schema) - KNOWN
    if unknown:
        yield f"schema at {at}: unknown keywords {sorted(unknown)}"
    schema = resolved(schema, root)
    yield from simple(value, schema, at)
    yield from members(value, schema, root, at)
    if "anyOf" in schema:
        tried = [list(problems(value, part, root, at)) for part in schema["anyOf"]]
        if all(tried):
            yield from min(tried, key=len)


def undescribed(value, schema, root, at=""):
    """Keys of objects whose schema has `properties` without them."""
    schema = resolved(schema, root)
    if "anyOf" in schema:
        fitting = [part for part in schema["anyOf"] if not list(problems(value, part, root))]
        found = [set(undescribed(value, part, root, at)) for part in fitting]
        yield from min(found, key=len) if found else []
        return
    if isinstance(value, dict):
        for key, part in value.items():
            if key in schema.get("properties", {}):
                yield from undescribed(part, schema["properties"][key], root, f"{at}/{key}")
            elif isinstance(schema.get("additionalProperties"), dict):
                yield from undescribed(part, schema["additionalProperties"], root, f"{at}/*")
            elif "properties" in schema:
                yield f"{at}/{key}"
    elif isinstance(value, list):
        for part in value:
            yield from undescribed(part, schema.get("items", {}), root, f"{at}/*")
