"""Free text in JSON: text typed by people, which may contain names.

The readers `text` and `name` mark it in their JSON Schema.

>>> from scorer.engine.input.field_readers import listed, text
>>> schema = listed(text(20)).schema
>>> with_texts(schema, ["Anna", 3], str.upper)
['ANNA', 3]
>>> with_texts({"properties": {"names": schema}}, {"names": ["Anna"], "id": "a"}, str.upper)
{'names': ['ANNA'], 'id': 'a'}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer.engine.input.field_readers import FREE_TEXT

Schema = Mapping[str, Any]


def with_texts(
    schema: Schema,
    value: Any,
    change: Callable[[str], str],
    schema_of_ref: Callable[[Any], Schema] = lambda value: {},
) -> Any:
    """A value with `change` applied to each of its free texts.

    :param schema: its JSON Schema
    :param schema_of_ref: the schema of a value where the schema has a `$ref`
    """
    if "$ref" in schema:
        schema = schema_of_ref(value)
    for alternative in schema.get("anyOf", ()):
        value = with_texts(alternative, value, change, schema_of_ref)
    if isinstance(value, str):
        return change(value) if FREE_TEXT in schema else value
    if isinstance(value, list | tuple) and "items" in schema:
        return [with_texts(schema["items"], item, change, schema_of_ref) for item in value]
    if isinstance(value, Mapping) and (properties := schema.get("properties")):
        return {
            name: with_texts(properties[name], item, change, schema_of_ref)
            if name in properties
            else item
            for name, item in value.items()
        }
    return value
