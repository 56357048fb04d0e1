"""Codecs: dataclasses read from JSON, written to JSON and described as JSON Schema.

A field is read by the `Reader` in its annotations, else by its type (`bool`, another dataclass,
tuples of these, or None). A field with a default is optional, and is not written while it equals
it.

>>> @dataclass(frozen=True)
... class Answers:
...     said: Annotated[tuple[bool, ...], listed(flag, 2), Json("yes")]
...     late: bool = False
>>> answers = codec(Answers).read({"yes": [True]}, "answers")
>>> answers, codec(Answers).write(answers)
(Answers(said=(True,), late=False), {'yes': [True]})
>>> codec(Answers).read({"yes": [True, 0]}, "answers")
Traceback (most recent call last):
scorer.engine.input.field_readers.Unreadable: answers.yes[1]: must be true or false, not 0
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import MISSING, dataclass
from functools import cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Generic, TypeVar, Union, get_args, get_origin
from typing import get_type_hints as types_of

from scorer.engine.input.field_readers import Reader, Unreadable, flag, listed, or_none
from scorer.engine.translatable import N_

T = TypeVar("T")

MISSES: Final = N_("is missing")


@dataclass(frozen=True, slots=True)
class Json:
    """How a field appears in JSON, if that does not follow from its type and default."""

    name: str = ""
    """Its name in JSON, if other than the attribute's."""
    required: bool = False
    """Required in JSON even though the class has a default."""
    null: bool = False
    """Null is passed to the reader; else null counts as not given."""
    always: bool = False
    """Written even if it equals its default."""
    write: Callable[[Any], Any] | None = None
    """Converts values that are not lists, objects or scalars."""


GIVEN: Final = "given"
"""Marks a field that the caller passes to `read` instead of the JSON."""


@dataclass(frozen=True, slots=True)
class JsonField:
    attribute: str
    name: str
    reader: Reader[Any]
    default: Any
    json: Json
    marks: tuple[Any, ...]
    """The other annotations of its type."""

    @property
    def required(self) -> bool:
        return self.json.required or self.default is MISSING

    @property
    def write(self) -> Callable[[Any], Any]:
        """Convert its value to JSON."""
        return self.json.write or self.reader.write or json_value


class Codec(Generic[T]):
    """Reads, writes and describes the values of one dataclass.

    Fields marked `GIVEN`, or without a reader, are passed to `read` as keywords.

    :param kind: the dataclass
    :param refusal: error message if the JSON is not an object, and for unknown fields if `unknown`
        is empty
    :param unknown: error message for unknown fields; None accepts them
    :param null_is_missing: whether null counts as not given; else the field's reader gets it
    :param write_defaults: whether to write fields that equal their defaults
    :param extra_names: names that the JSON may have besides the fields
    """

    def __init__(
        self,
        kind: type[T],
        refusal: str = N_("must be an object"),
        unknown: str | None = "",
        *,
        null_is_missing: bool = False,
        write_defaults: bool = False,
        extra_names: Collection[str] = (),
    ) -> None:
        self.kind, self._refusal, self._unknown = kind, refusal, unknown
        self._null_is_missing = null_is_missing
        self._write_defaults, self._extra_names = write_defaults, frozenset(extra_names)

    @cached_property
    def fields(self) -> tuple[JsonField, ...]:
        types = types_of(self.kind, include_extras=True)
        fields = (_field_of(item, types[item.name]) for item in dataclasses.fields(self.kind))  # type: ignore[arg-type]
        return tuple(field for field in fields if field is not None)

    @cached_property
    def names(self) -> frozenset[str]:
        return self._extra_names.union(field.name for field in self.fields)

    def read(self, data: Any, where: str = "", **given: Any) -> T:
        """Parse a value from decoded JSON.

        :param where: the place of `data`, for error messages; empty at the top
        :param given: the attributes that are not in `data`
        :raises Unreadable: the field and the reason
        """
        if not isinstance(data, Mapping):
            raise Unreadable(where, self._refusal)
        prefix = f"{where}." if where else ""
        self.check_names(data, where)
        return self.kind(**given, **self.values(data, prefix))

    def check_names(self, data: Mapping[str, Any], where: str = "") -> None:
        """:raises Unreadable: `data` has an unknown field"""
        if self._unknown is None or self.names.issuperset(data):
            return
        if not self._unknown:
            raise Unreadable(where, self._refusal)
        require_known_fields(data.keys(), self.names, self._unknown, f"{where}." if where else "")

    def values(self, data: Mapping[str, Any], prefix: str) -> dict[str, Any]:
        """The attributes given in `data`; omitted optional ones are left out.

        :raises Unreadable: a field is missing or invalid
        """
        values = {}
        for field in self.fields:
            name = field.name
            if name in data and (
                data[name] is not None or field.json.null or not self._null_is_missing
            ):
                values[field.attribute] = field.reader.read(prefix + name, data[name])
            elif field.required:
                raise Unreadable(prefix + name, MISSES)
        return values

    def write(self, value: T, write_defaults: bool = False) -> dict[str, Any]:
        """The value as JSON, without fields that equal their defaults unless `write_defaults`."""
        data = {}
        for field in self.fields:
            part = getattr(value, field.attribute)
            if write_defaults or self._write_defaults or field.json.always or part != field.default:
                data[field.name] = part if type(part) in _SCALARS else field.write(part)
        return data

    def schema(self, omitted: Collection[str] = ()) -> dict[str, Any]:
        """JSON Schema of what `read` accepts."""
        included = [field for field in self.fields if field.name not in omitted]
        nullable = {
            field.name for field in included if self._null_is_missing and not field.required
        }
        return {
            "type": "object",
            "properties": {
                f.name: (or_none(f.reader) if f.name in nullable else f.reader).schema
                for f in included
            },
            "required": [field.name for field in included if field.required],
            "additionalProperties": False,
        }

    @cached_property
    def reader(self) -> Reader[T]:
        return Reader(lambda where, value: self.read(value, where), self.schema(), self.write)


def require_known_fields(
    names: Set[str], allowed: Set[str], reason: str, prefix: str = "", **values: object
) -> None:
    """
    :param prefix: the place of the fields with a final dot, empty at the top
    :param values: the values of the placeholders in `reason`
    :raises Unreadable: one of `names` is not in `allowed`
    """
    if unknown := names - allowed:
        raise Unreadable(prefix + min(unknown), reason, **values)


_codecs: Final[dict[tuple[Any, bool], Codec[Any]]] = {}


def codec(kind: Any, null_is_missing: bool = False) -> Codec[Any]:
    """The default codec of a dataclass, cached."""
    cached = _codecs.get((kind, null_is_missing))
    if cached is None:
        cached = _codecs[kind, null_is_missing] = Codec(kind, null_is_missing=null_is_missing)
    return cached


def json_value(value: Any) -> Any:
    """A value as JSON: tuples as lists, dataclasses as objects."""
    if type(value) in _SCALARS:
        return value
    if type(value) is tuple:
        return [json_value(item) for item in value]
    if hasattr(value, "to_json"):
        return value.to_json()
    return codec(type(value)).write(value) if dataclasses.is_dataclass(value) else value


_SCALARS: Final = frozenset({int, str, bool, NoneType})


def _field_of(item: dataclasses.Field[Any], kind: Any) -> JsonField | None:
    marks = getattr(kind, "__metadata__", ())
    reader = _reader_of(kind)
    if reader is None or GIVEN in marks:
        return None
    json = next((mark for mark in marks if isinstance(mark, Json)), Json())
    default = item.default if item.default_factory is MISSING else item.default_factory()
    other_marks = tuple(mark for mark in marks if not isinstance(mark, Json | Reader))
    return JsonField(item.name, json.name or item.name, reader, default, json, other_marks)


def _reader_of(kind: Any) -> Reader[Any] | None:
    for mark in getattr(kind, "__metadata__", ()):
        if isinstance(mark, Reader):
            return mark
    if get_origin(kind) is Annotated:
        return _reader_of(get_args(kind)[0])
    if kind is bool:
        return flag
    if dataclasses.is_dataclass(kind):
        return codec(kind).reader
    types = [type_ for type_ in get_args(kind) if type_ not in (NoneType, Ellipsis)]
    item_reader = _reader_of(types[0]) if len(types) == 1 else None
    if item_reader is None:
        return None
    if get_origin(kind) is tuple:
        return listed(item_reader)
    return or_none(item_reader) if get_origin(kind) in (Union, UnionType) else None
