"""Rules: pages of the regions, equity of scores, and the referee."""

from __future__ import annotations

from flask import Flask

from scorer.web.frame.remembered_keys import newest_table_key
from scorer.web.rules import dialects_page, equity, pages, referee
from scorer.web.rules.house_rules import variant_name


def init_app(app: Flask) -> None:
    for part in (pages, dialects_page, equity, referee):
        app.register_blueprint(part.blueprint)
    app.add_template_global(variant_name)
    app.add_template_global(newest_table_key)
