"""What many tests write and whom they seat."""

WON = {"do": "gewinnt", "side": 0}
LOST = {"do": "gewinnt", "side": 1}
NEXT = {"do": "neues_spiel"}
RAISED = {"do": "bieten", "side": 0}

NAMED = [{"name": "Wir"}, {"name": "Die"}]
SEATED = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Cilli", "Dora"]},
]
BAYERN = {"watten": 1, "rules": "bayern"}
PREIS = {"name": "Preis", "rules": "bayern", "seed": "s", "pairs": [{"name": "A"}, {"name": "B"}]}


def split(record):
    """The head of a record, and its events."""
    return {name: value for name, value in record.items() if name != "events"}, record["events"]
