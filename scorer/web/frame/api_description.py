"""What a route of the JSON API takes and answers, said beside the view that does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

View = TypeVar("View", bound=Callable[..., Any])
_NAME: Final = "described"


@dataclass(frozen=True, slots=True)
class Described:
    """One route; schemas are named as the OpenAPI document has them."""

    answers: Mapping[int, str]
    """The schema of each answer beside the refusals that every route knows."""
    body: str | None = None
    """The schema of what is sent, or None where nothing is."""
    body_needed: bool = True
    headers: tuple[str, ...] = ()
    """The parameters it reads from headers."""


def described(
    answers: Mapping[int, str],
    body: str | None = None,
    *,
    body_needed: bool = True,
    headers: tuple[str, ...] = (),
) -> Callable[[View], View]:
    """Say of a view what it takes and answers."""

    def tell(view: View) -> View:
        setattr(view, _NAME, Described(answers, body, body_needed, headers))
        return view

    return tell


def description(view: Callable[..., Any]) -> Described | None:
    """What was said of a view."""
    return getattr(view, _NAME, None)
