"""A language that puts every sentence between marks, so that untranslated text is found."""

import re

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from tools.collect_translations import sentences

MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]{2,}")


def marked(text):
    return f"⟦{text}⟧"


def write_marked_catalog(folder):
    """Write a German catalogue of marked English sentences to the folder, and return the folder."""
    catalog = Catalog(locale="de")
    for message in sentences():
        if isinstance(message.id, tuple):
            catalog.add(message.id, tuple(map(marked, message.id)), context=message.context)
        elif message.id:
            catalog.add(message.id, marked(message.id), context=message.context)
    (folder / "de/LC_MESSAGES").mkdir(parents=True)
    with (folder / "de/LC_MESSAGES/messages.mo").open("wb") as file:
        write_mo(file, catalog)
    return folder


def unmarked(text):
    """The text without its marked parts, which may be nested."""
    while MARKED.search(text):
        text = MARKED.sub(" ", text)
    return text
