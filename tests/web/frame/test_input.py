"""Whatever is sent gets an answer that is no fault of ours."""

import pytest


@pytest.mark.parametrize("path", ["/referee?tap=x", "/referee?tap=E7&ask=x&to=x&pattern=x"])
def test_an_odd_address_is_answered(server, path):
    assert server.request("GET", path)[0] == 200
