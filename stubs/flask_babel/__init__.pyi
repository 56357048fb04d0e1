"""The types of what is used of flask-babel, which ships none."""

from collections.abc import Callable
from datetime import date, datetime

from babel.core import Locale
from babel.support import NullTranslations
from flask import Flask
from flask_babel.speaklater import LazyString

class Domain:
    def get_translations(self) -> NullTranslations: ...

class Babel:
    domain_instance: Domain
    def __init__(
        self,
        app: Flask | None = None,
        *,
        default_locale: str = "en",
        locale_selector: Callable[[], Locale | str | None] | None = None,
    ) -> None: ...

def get_locale() -> Locale | None: ...
def format_currency(number: float, currency: str) -> str: ...
def format_decimal(number: float, format: str | None = None) -> str: ...
def format_percent(number: float) -> str: ...
def format_date(date: date | datetime | None = None, format: str | None = None) -> str: ...
def lazy_gettext(string: str, **variables: object) -> LazyString: ...
