"""Forms for opening a tournament and for changing its settings."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, Final

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import REGIONS, RuleSet, Unreadable, rules_of
from scorer.engine.translatable import N_
from scorer.tournament import Tournament, presets, read_settings
from scorer.tournament.event_types.settings_changes import agreed, with_settings
from scorer.tournament.settings import (
    CENTS,
    CIRCLES,
    CLUBS,
    FINALIST_COUNTS,
    MAX_ROUNDS,
    METRICS,
    SETTINGS,
    ChangeableUntil,
    Groups,
    Settings,
)
from scorer.web.frame import page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import KeyHolder, require_director, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.language import date_text, labelled, words
from scorer.web.frame.money import cents
from scorer.web.frame.rate_limits import CREATE, RUN_TOURNAMENT
from scorer.web.frame.refusals import Refused, form_route
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.table import device_tables
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.group_plan import full_groups
from scorer.web.tournament.labels import (
    BYE_CHOICES,
    FAIR_BYE,
    FORMAT_NAMES,
    METRIC_NAMES,
    PRESET_NAMES,
    UNFINISHED_CHOICES,
)
from scorer.web.tournament.tournament_view import TournamentView

blueprint = Blueprint("setup", __name__, url_prefix="/p")


@blueprint.get("/new")
def new() -> Response:
    return render_form(request.values)


REPEATED_PRESET: Final = "again"
"""Value of the form's `preset` for the settings of an earlier tournament."""


def _settings_marked(mark: str) -> Iterator[str]:
    """Names of the settings with this mark."""
    return (field.name for field in SETTINGS.fields if mark in field.marks)


def _regions() -> list[tuple[str, Mapping[str, Any], RuleSet]]:
    """Each region with its words and rules, for a select."""
    return [(region, words(region), rules_of(region)) for region in REGIONS]


def _main_presets() -> dict[str, str]:
    """The name of the first preset of each format."""
    return {preset.get("format", "redraw"): name for name, preset in reversed([*presets().items()])}


def render_form(filled: MultiDict[str, str], **last: Any) -> Response:
    """The form of a new tournament.

    :param last: template variables for repeating an earlier tournament
    """
    all_presets = [
        (name, gettext(PRESET_NAMES[name]), preset) for name, preset in presets().items()
    ]
    main_names = _main_presets().values()
    return page_responses.form_page(
        "tournament/new.html",
        regions=_regions(),
        main_presets=[preset for preset in all_presets if preset[0] in main_names],
        other_presets=[preset for preset in all_presets if preset[0] not in main_names],
        max_rounds=MAX_ROUNDS,
        metrics=[(name, gettext(METRIC_NAMES[name])) for name in METRICS],
        unfinished=UNFINISHED_CHOICES,
        # A new tournament has fair byes unless it repeats an earlier one.
        byes=BYE_CHOICES if last else {"fair": FAIR_BYE, **BYE_CHOICES},
        filled=filled,
        today=date_text(date.today(), "medium"),
        region=device_tables.region(device_tables.table_entries()),
        **{"last": None, **last},
    )


@form_route(blueprint, "/new", CREATE, "setup.new")
def create() -> AnyResponse:
    settings, service = read_settings(settings_of_form(), seed=secrets.token_hex(16)), tournaments()
    ask_about_groups(settings)
    key = resent_forms.create_once(lambda key: service.create(settings, key))
    response = redirect(url_for("pairs.page", key=key), 303)
    return remembered_keys.remember_opened(response, key, remembered_keys.TOURNAMENTS_COOKIE)


def ask_about_groups(settings: Settings) -> None:
    """Ask once about groups whose best do not fill the finals, if the form changes either.

    :raises Refused: the pairs that would qualify, and why they are not those of the settings
    """
    plan = full_groups(settings)
    is_changed = _field_text("groups") or _field_text("finals")
    if settings.format != "groups" or not is_changed or not plan.doubts:
        return
    title = ngettext("%(num)s group", "%(num)s groups", len(plan.sizes))
    text = " ".join((f"{labelled(title, plan.advancing)}.", *plan.doubts))
    if request.form.get("sure") != text:
        raise Refused(CodedText(text, "groups-otherwise", "groups"))


def settings_of_form(last: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The settings of the form, as `read_settings` takes them; empty fields are left to the preset.

    :param last: settings of the earlier tournament
    """
    preset = request.form.get("preset", "")
    repeats_last = last is not None and preset == REPEATED_PRESET
    handed_settings = _handed_settings(last or {}, repeats_last)
    defaults = handed_settings if repeats_last else presets().get(preset, {})
    data = {
        "preset": None if repeats_last else preset or None,
        **handed_settings,
        **_agreed(defaults),
    }
    data |= {
        name: text
        for name in ("name", "place", "date", "rules", "seed")
        if (text := _field_text(name))
    }
    scoring = _scoring(defaults.get("format", "redraw"))
    require_existing_day(data.get("date", ""))
    if "ceremony" in request.form:
        data["ceremony"] = "1" in request.form.getlist("ceremony")
    for name, part in (("set", _house_rules(repeats_last)), ("scoring", scoring)):
        if part:
            data[name] = {**defaults.get(name, {}), **part}
    if groups := _field_text("groups"):
        data["groups"] = {**defaults.get("groups", {}), "count": whole_number(groups)}
        finals = data.get("finals", defaults.get("finals"))
        if finals and not _field_text("finals"):
            data |= _filling(data["groups"], finals)
    return data


def _filling(groups: Mapping[str, Any], finals: Mapping[str, Any]) -> dict[str, Any]:
    """Groups and finals such that the best of the groups fill the finals.

    If that needs more than the same number of each group, the best of the next place go on, too.

    >>> filled = _filling({"count": 3, "best": 2}, {"best": 8})
    >>> filled["groups"], filled["finals"]
    ({'count': 3, 'best': 1, 'more': 1}, {'best': 4})
    """
    count, best = groups["count"], groups.get("best", Groups().best)
    if not isinstance(count, int) or count < 1:
        return {}
    size = max((size for size in FINALIST_COUNTS if size <= count * best), default=0)
    per_group, more = divmod(size, count)
    if not per_group:
        return {}
    return {
        "groups": {**groups, "best": per_group, "more": more},
        "finals": {**finals, "best": size},
    }


def require_existing_day(text: str) -> None:
    """Free text is allowed as a date, such as the name of a feast.

    :raises Unreadable: it contains a day in figures that no calendar has
    """
    for year, month, day in _days_in(text):
        try:
            date(year, month, day)
        except ValueError:
            raise Unreadable("date", N_("there is no such day")) from None


def _days_in(text: str) -> Iterator[tuple[int, int, int]]:
    """The days in a text as year, month and day."""
    for year, month, day in re.findall(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b", text):
        yield int(year), int(month), int(day)
    for day, sign, month, year in re.findall(
        r"\b(\d{1,2})([./])\s?(\d{1,2})[./]\s?(\d{4}|\d{2})\b", text
    ):
        # With strokes the month may come first.
        is_month_first = sign == "/" and int(month) > 12 >= int(day)
        first, second = (day, month) if is_month_first else (month, day)
        yield 2000 + int(year) % 100 if len(year) == 2 else int(year), int(first), int(second)


def _field_text(name: str) -> str:
    return request.form.get(name, "").strip()


def _agreed(defaults: Mapping[str, Any]) -> dict[str, Any]:
    """The settings common to the forms of new and of running tournaments.

    :param defaults: the other settings of finals
    """
    data: dict[str, Any] = {
        field.name: _cents(field.name, text) if CENTS in field.marks else whole_number(text)
        for field in SETTINGS.fields
        if ChangeableUntil.START not in field.marks
        and field.reader.schema.get("type") == "integer"
        and (text := _field_text(field.name))
    }
    if games := _field_text("games_per_round"):
        data["games_per_round"] = read_games_per_round(games)
    if ranking := [metric for metric in request.form.getlist("ranking") if metric]:
        data["ranking"] = ranking
    if finals := _field_text("finals"):
        best = whole_number(finals)
        data["finals"] = {**(defaults.get("finals") or {}), "best": best} if best else None
    later_finals = data.get("finals", defaults.get("finals"))
    if later_finals and (games := _field_text("finals_games")):
        data["finals"] = {**later_finals, "games": whole_number(games)}
    return data


def _cents(name: str, text: str) -> int:
    """:raises Unreadable: no amount of money"""
    amount = cents(text)
    if amount is None:
        raise Unreadable(name, N_("must be an amount, such as 10 or 7.50"))
    return amount


def _house_rules(repeats_last: bool) -> dict[str, Any]:
    """House rules of the form that differ from the region's or the earlier tournament's."""
    house_rules = {"target": whole_number(target)} if (target := _field_text("target")) else {}
    may_overshoot = request.form.get("over") == "1"
    return (
        {**house_rules, "cap_at_target": not may_overshoot}
        if may_overshoot or repeats_last
        else house_rules
    )


def _scoring(of_format: str) -> dict[str, Any]:
    """The scoring of the form, without fields left empty; "finish" allows no unfinished game.

    :param of_format: the tournament's, on which a fair bye depends
    """
    answers = {"yes": True, "no": False, "finish": ""}
    scoring = {
        name.removeprefix("scoring."): answers.get(value, whole_number(value))
        for name, value in request.form.items()
        if name.startswith("scoring.") and value.strip()
    }
    match scoring.pop("bye", ""):
        case "":
            return scoring
        case "fair":
            return scoring | _fair_bye(of_format)
        case choice:
            return scoring | {"bye_wins": choice == "won", "bye_average": choice == "average"}


def _fair_bye(of_format: str) -> dict[str, bool]:
    """The value of a bye that favours nobody."""
    return {"bye_wins": False, "bye_average": of_format not in CIRCLES}


def _handed_settings(last: Mapping[str, Any], repeats_last: bool) -> dict[str, Any]:
    """Settings taken over from an earlier tournament: all, or only the club's."""
    if not repeats_last:
        return {name: last[name] for name in _settings_marked(CLUBS) if name in last}
    # House rules differ by region.
    return {**last, "set": last["set"] if request.form.get("rules") == last["rules"] else {}}


def read_games_per_round(text: str) -> Any:
    """Games per round as typed: a number, or for 3+3+2 a list."""
    parts = [whole_number(part) for part in text.split("+")]
    return parts if len(parts) > 1 else parts[0]


# Running tournaments

MAX_PICTURE_FORM_BYTES: Final = 4 * 1024 * 1024
"""Largest form with a picture in bytes; proxies must allow as much (deploy/)."""
PICTURE_TYPES: Final = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpeg", b"RIFF": "webp"}


@blueprint.get("/<key>/settings")
def settings(key: str) -> Response:
    return _settings(require_director(key))


def _settings(holder: KeyHolder, preview: TournamentView | None = None) -> Response:
    tournament = tournaments().current(holder.stream)
    return page_responses.render_page(
        "tournament/settings.html",
        view=TournamentView(tournament, holder.key, holder.role),
        metrics=[(name, gettext(METRIC_NAMES[name])) for name in METRICS],
        unfinished=UNFINISHED_CHOICES,
        byes=BYE_CHOICES,
        regions=_regions(),
        formats=_formats(tournament),
        filled=request.form,
        preview=preview,
    )


@form_route(blueprint, "/<key>/settings", RUN_TOURNAMENT, "setup.settings")
def set_settings(key: str) -> AnyResponse:
    """Change settings, or preview the standings with them."""
    # A picture that is too large is refused beside its field, and what was typed stays.
    request.max_content_length = MAX_PICTURE_FORM_BYTES
    holder = require_director(key)
    tournament = tournaments().current(holder.stream)
    changes = {
        **_rules_and_format(tournament),
        **_changes_of_form(SETTINGS.write(tournament.settings, write_defaults=True)),
    }
    new_settings = agreed(tournament, changes)
    if request.form.get("do") == "preview":
        return _settings(
            holder, TournamentView(with_settings(tournament, new_settings), key, holder.role)
        )
    if changes:
        submit(holder, holder.stream, {"do": "einstellung", "set": changes})
    if request.form.get("do") in ("call", "release", "publish"):
        return redirect(url_for("desk.page", key=key), 303)
    return redirect(url_for("setup.settings", key=key, saved=1), 303)


def _formats(tournament: Tournament) -> Mapping[str, str]:
    """The formats that can be chosen; entered pairs stay pairs, and single players stay single."""
    if not (tournament.entrants or tournament.singles or tournament.waiting_list):
        return FORMAT_NAMES
    is_partners = tournament.settings.format == "partners"
    return {
        name: text for name, text in FORMAT_NAMES.items() if (name == "partners") == is_partners
    }


def _rules_and_format(tournament: Tournament) -> dict[str, Any]:
    """The rules and the format of the form if they differ; it has them until the first draw.

    Another format brings its rounds, order, groups and finals.
    """
    now, form = tournament.settings, request.form
    changes: dict[str, Any] = {}
    if "rules" in form:
        target = _field_text("target")
        house_rules = {
            "target": whole_number(target) if target else rules_of(form["rules"]).target,
            "cap_at_target": form.get("over") != "1",
        }
        if form["rules"] != now.rules.id:
            changes |= {"rules": form["rules"], "set": house_rules}
        elif any(getattr(now.rules, name) != value for name, value in house_rules.items()):
            changes["set"] = house_rules
    format_name = form.get("format", now.format)
    if format_name != now.format:
        if format_name not in _formats(tournament):
            raise Unreadable("format", N_("cannot become this one once somebody has entered"))
        preset = {"name": now.name, "rules": now.rules.id, "preset": _main_presets()[format_name]}
        of_format = SETTINGS.write(read_settings(preset), write_defaults=True)
        changes |= {name: of_format[name] for name in SET_BY_FORMAT}
        scoring = SETTINGS.write(now, write_defaults=True)["scoring"]
        if scoring.items() >= _fair_bye(now.format).items():
            changes["scoring"] = {**scoring, **_fair_bye(format_name)}
    return changes


SET_BY_FORMAT: Final = ("format", "rounds", "ranking", "groups", "finals")


def _changes_of_form(old: dict[str, Any]) -> dict[str, Any]:
    """The settings of the form that differ from the old ones."""
    form = request.form
    changes: dict[str, Any] = {
        name: form[name].strip()
        for name in ("name", "place", "date", "club", "published")
        if name in form
    }
    if changes.get("date") != old["date"]:
        require_existing_day(changes.get("date", ""))
    changes |= _agreed(old)
    fields = {"groups": "count", "best": "best", "more": "more"}
    group_texts = {part: _field_text(name) for name, part in fields.items()}
    if groups := {part: whole_number(text) for part, text in group_texts.items() if text}:
        changes["groups"] = {**old["groups"], **groups}
        count, finals = changes["groups"]["count"], old["finals"]
        is_other_count = count != old["groups"]["count"]
        keeps_best = changes["groups"] == {**old["groups"], "count": count}
        if is_other_count and keeps_best and finals and changes.get("finals", finals) == finals:
            # Who goes on was chosen for another number of groups.
            changes |= _filling({"count": count}, finals)
    if scoring := _scoring(old["format"]):
        changes["scoring"] = {**old["scoring"], **scoring}
    if "first" in form:
        changes["hall"] = {
            "first": whole_number(form["first"] or "1"),
            "closed": [whole_number(n) for n in form.get("closed", "").replace(",", " ").split()],
            "count": whole_number(form.get("count", "") or "0"),
        }
    if "ceremony" in form:
        changes["ceremony"] = "1" in form.getlist("ceremony")
    if "called" in form:
        changes["called"] = whole_number(form["called"])
    changes |= _logo()
    return {name: value for name, value in changes.items() if old.get(name) != value}


def _logo() -> dict[str, str]:
    """The form's picture as a data URL, or "" to remove it. An empty dict keeps the old one."""
    if request.form.get("no_logo") == "1":
        return {"logo": ""}
    file = request.files.get("logo")
    data = file.read() if file and file.filename else b""
    if not data:
        return {}
    kind = next((kind for start, kind in PICTURE_TYPES.items() if data.startswith(start)), "other")
    return {"logo": f"data:image/{kind};base64,{base64.b64encode(data).decode()}"}
