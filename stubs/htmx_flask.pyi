"""The types of what is used of htmx-flask, which ships none."""

from flask import Flask, Request

class HtmxHeaders:
    history_restore_request: bool
    target: str | None
    def __bool__(self) -> bool: ...

class HtmxRequest(Request):
    htmx: HtmxHeaders

request: HtmxRequest

class Htmx:
    def __init__(self, app: Flask) -> None: ...
