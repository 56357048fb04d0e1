"""Addresses that lazy rules build are those of Werkzeug's own rules."""

from werkzeug.routing import Map, Rule


def test_lazy_rules_build_the_same_addresses_as_plain_ones(app):
    for lazy in app.url_map.iter_rules():
        # A value without a place in the path becomes a query.
        values = dict.fromkeys(lazy.arguments, "7") | {"more": "ä b"}
        plain = Rule(lazy.rule, defaults=lazy.defaults, endpoint="page")
        Map([plain])
        assert lazy.build(values) == plain.build(values)
        assert lazy.build(values, append_unknown=False) == plain.build(values, False)
