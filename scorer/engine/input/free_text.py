"""Free text in JSON: text typed by people, which may contain names.

The readers `text` and `name` mark it in their JSON Schema.

>>> from scorer.engine.input.fields import listed, text
>>> schema = listed(text(20)).schema
>>> with_texts(schema, ["Anna", 3], str.upper)
['ANNA', 3]
>>> with_texts({"properties": {"names": schema}}, {"names": ["Anna"], "id": "a"}, str.upper)
{'names': ['ANNA'], 'id': 'a'}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scorer.engine.input.fields import FREE_TEXT

Schema = Mapping[str, Any]


def with_texts(
    schema: Schema,
    value: Any,
    change: Callable[[str], str],
    referred: Callable[[Any], Schema] = lambda value: {},
) -> Any:
    """A value with `change` applied to each of its free texts.

    :param schema: its JSON Schema
    :param referred: the schema of a value where the schema has a `$ref`
    """
    if "$ref" in schema:
        schema = referred(value)
    for part in schema.get("anyOf", ()):
        value = with_texts(part, value, change, referred)
    if isinstance(value, str):
        return change(value) if FREE_TEXT in schema else value
    if isinstance(value, list | tuple) and "items" in schema:
        return [with_texts(schema["items"], item, change, referred) for item in value]
    if isinstance(value, Mapping) and (properties := schema.get("properties")):
        return {
            name: with_texts(properties[name], item, change, referred)
            if name in properties
            else item
            for name, item in value.items()
        }
    return value
