"""What a route of the JSON API takes and answers, said beside the view that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

View = TypeVar("View", bound=Callable[..., Any])
_NAME: Final = "described"


@dataclass(frozen=True, slots=True)
class described:
    """Says of a view what it takes and answers, by the names of the OpenAPI document."""

    answers: Mapping[int, str]
    """The schema of each answer beside the refusals that every route knows."""
    body: str | None = None
    """The schema of what is sent, or None where nothing is."""
    body_needed: bool = field(default=True, kw_only=True)
    headers: tuple[str, ...] = field(default=(), kw_only=True)
    """The parameters it reads from headers."""

    def __call__(self, view: View) -> View:
        setattr(view, _NAME, self)
        return view


def description(view: Callable[..., Any]) -> described | None:
    """What was said of a view."""
    return getattr(view, _NAME, None)
