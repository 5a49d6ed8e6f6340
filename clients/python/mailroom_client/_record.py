"""Objects of the API, read by attribute."""
from __future__ import annotations

import re
from typing import Any, Dict, Iterator, List, Type

_CLASSES: Dict[str, Type["Record"]] = {}


class Record:
    """An object as the service sent it. A field is an attribute (`from` is `from_`), or `record["name"]` for any name.

    A field that this service did not send is None; one that is newer than this client is read by its name.
    `to_dict(record)` is the JSON itself.
    """

    __slots__ = ("_json",)

    def __init__(self, json: Dict[str, Any]) -> None:
        self._json = json

    def __init_subclass__(cls) -> None:
        _CLASSES[cls.__name__] = cls

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        key = name.rstrip("_")
        if key in self._json:
            return _typed(self._json[key], _annotation(type(self), name))
        if _annotation(type(self), name) == "":
            raise AttributeError(f"{type(self).__name__} has no field {key!r}")
        return None

    def __getitem__(self, name: str) -> Any:
        return self._json[name]

    def __contains__(self, name: object) -> bool:
        return name in self._json

    def __iter__(self) -> Iterator[str]:
        return iter(self._json)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and other._json == self._json

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._json!r})"


def to_dict(record: Record) -> Dict[str, Any]:
    """The JSON of a record, as the service sent it."""
    return record._json


def _annotation(cls: type, name: str) -> str:
    for base in cls.__mro__:
        text = base.__dict__.get("__annotations__", {}).get(name)
        if text is not None:
            return str(text)
    return ""


def _typed(value: Any, annotation: str) -> Any:
    if not isinstance(value, (dict, list)):
        return value
    named = [_CLASSES[name] for name in re.findall(r"\w+", annotation) if name in _CLASSES]
    if not named:
        return value
    if isinstance(value, list):
        items: List[Any] = [_wrap(named, item) for item in value]
        return items
    return _wrap(named, value)


def _wrap(classes: List[Type[Record]], value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    if len(classes) == 1:
        return classes[0](value)
    # One of several: the one that knows the most of its fields.
    return max(classes, key=lambda cls: sum(_annotation(cls, key) != "" for key in value))(value)


def read_as(type_name: str, value: Any) -> Any:
    """JSON as the type that its annotation names, such as `List[Message]`."""
    return _typed(value, type_name)
