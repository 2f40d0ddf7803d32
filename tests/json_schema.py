"""Holds values against the descriptions docs/*.schema.json."""

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}


def is_kind(value, kind):
    return type(value) in (kind if isinstance(kind, tuple) else (kind,)) # True is no number


def hold_against(schema, value, where):
    """As much of JSON Schema as docs/*.schema.json use."""
    assert "enum" not in schema or value in schema["enum"], f"{where}: {value!r} is none of {schema['enum']}"
    kinds = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", [])
    assert not kinds or any(is_kind(value, KINDS[kind]) for kind in kinds), f"{where}: {value!r} is no {kinds}"
    if isinstance(value, dict):
        missing, unknown = set(schema["required"]) - set(value), set(value) - set(schema["properties"])
        assert not missing and not unknown, f"{where}: missing {missing}, unknown {unknown}"
        for key, item in value.items():
            hold_against(schema["properties"][key], item, f"{where}.{key}")
    for i, item in enumerate(value if isinstance(value, list) else []):
        hold_against(schema["items"], item, f"{where}[{i}]")
