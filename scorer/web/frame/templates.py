"""Jinja environment, values for every template, and a cache of rendered macros."""

from __future__ import annotations

import re
from collections.abc import Hashable, MutableMapping
from functools import lru_cache
from typing import Any, Final

from babel.support import NullTranslations
from flask import Flask, g
from flask.templating import Environment
from jinja2 import Undefined
from jinja2.ext import Extension
from jinja2.utils import missing
from markupsafe import Markup

from scorer.web.frame import resent_forms
from scorer.web.frame.public_address import is_loopback_only
from scorer.web.frame.refusals import current_refusal
from scorer.web.frame.translation import sentences

MAX_CACHED_MACROS: Final = 5_000
"""Cached macros per process, 2 KB each: about 300 tables."""


class OptionalValue(Undefined):
    """A value that a template may do without, such as a form's field on its first visit.

    Two cases raise an error, since the name is wrong: a missing attribute of one of this program's
    objects, and an unknown variable that is printed or put into an address.
    """

    def __init__(self, hint: str | None = None, obj: Any = missing, **values: Any) -> None:
        super().__init__(hint, obj, **values)
        if type(obj).__module__.startswith("scorer."):
            self._fail_with_undefined_error()

    def __str__(self) -> str:
        if self._undefined_obj is missing:
            self._fail_with_undefined_error()
        return ""


class SharedGlobalsEnvironment(Environment):
    """Gives every template the application's own mapping of globals.

    Jinja's ChainMap per template took a tenth of a table's rendering time in imports.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


class WithoutIndentation(Extension):
    """Leaves the indentation of templates out of the pages: 3 % of a compressed desk."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"\n[ \t]+", "\n", source)


def _request_values() -> dict[str, Any]:
    holder, refusal = g.get("holder"), current_refusal()
    return {
        "key": holder and holder.key,
        "role": holder and holder.role,
        "token": resent_forms.new_form_token(),
        "notice": refusal,
        "failed": refusal.text if refusal else "",
    }


def init_app(app: Flask) -> None:
    """Must be called before the first use of `app.jinja_env`."""
    app.jinja_environment = SharedGlobalsEnvironment
    app.jinja_options = {
        **app.jinja_options,
        "undefined": OptionalValue,
        "extensions": [WithoutIndentation],
    }
    app.context_processor(_request_values)

    @lru_cache(MAX_CACHED_MACROS)
    def render_macro(template: str, macro: str, _: NullTranslations, *values: Hashable) -> Markup:
        return Markup(getattr(app.jinja_env.get_template(template).module, macro)(*values))

    app.add_template_global(is_loopback_only)

    @app.template_global()
    def cached_macro(template: str, macro: str, *values: Hashable) -> Markup:
        """Output of a macro for these values, cached per language. The macro must depend on nothing
        else. Without the cache a table takes 6.2 ms instead of 2.3."""
        return render_macro(template, macro, sentences(), *values)
