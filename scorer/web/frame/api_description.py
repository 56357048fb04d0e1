"""Decorator that describes the request and responses of a JSON API view for OpenAPI."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

View = TypeVar("View", bound=Callable[..., Any])
_NAME: Final = "described"


@dataclass(frozen=True, slots=True)
class described:
    answers: Mapping[int, str]
    """Schema by status, besides the errors common to all routes."""
    body: str | None = None
    """Schema of the request body; None without a body."""
    body_needed: bool = field(default=True, kw_only=True)
    headers: tuple[str, ...] = field(default=(), kw_only=True)
    """Names of the header parameters."""

    def __call__(self, view: View) -> View:
        setattr(view, _NAME, self)
        return view


def description(view: Callable[..., Any]) -> described | None:
    return getattr(view, _NAME, None)
