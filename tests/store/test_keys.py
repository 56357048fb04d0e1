"""Keys open what they were issued for, until they are revoked."""

from scorer.store import Access, Seal
from scorer.store.keys import mint, mint_code, normalise_code, seal_key, unseal_key


def test_a_key_opens_its_stream_in_its_role(store, stream):
    assert store.find("key-of-scorer") == Access(stream, "scorer")
    assert store.find("key-of-scorer2") is None


def test_renewal_revokes_only_the_old_key(store, stream):
    store.grant(stream, {"viewer": "old", "opponent": "other"})
    store.grant(stream, {"viewer": "new"}, revoke=("viewer",))
    assert store.find("old") is None
    assert store.find("new") == Access(stream, "viewer")
    assert store.find("other") == Access(stream, "opponent")
    assert store.find("key-of-scorer") == Access(stream, "scorer")


def test_sealed_key_is_readable_only_by_its_holder(store, stream):
    key = mint()
    store.grant(stream, {"viewer": key}, seals=[Seal("holder", "viewer", key)])
    assert store.unseal("holder", "viewer") == key
    assert store.unseal("holder", "opponent") is None
    assert store.unseal("somebody", "viewer") is None
    assert store.find("key-of-scorer").visible_roles == frozenset()
    store.grant(stream, {}, seals=[Seal(key, role, "its key") for role in ("code", "hall")])
    assert store.find(key).visible_roles == {"code", "hall"}


def test_sealing_again_replaces_the_box(store, stream):
    first, second = mint(), mint()
    store.grant(stream, {"a": first}, seals=[Seal("holder", "a", first)])
    store.grant(stream, {"a": second}, revoke=("a",), seals=[Seal("holder", "a", second)])
    assert store.unseal("holder", "a") == second


def test_encryption_never_repeats_a_nonce():
    boxes = {seal_key("the same", "under the same") for _ in range(50)}
    assert len({nonce for nonce, _ in boxes}) == len({box for _, box in boxes}) == 50
    assert all(unseal_key(nonce, box, "under the same") == "the same" for nonce, box in boxes)


def test_keys_are_unique_and_codes_easy_to_type():
    assert len({mint() for _ in range(100)}) == 100
    for _ in range(100):
        code = mint_code()
        assert normalise_code(f" {code[:3].lower()}-{code[3:]} ") == code
        assert not set(code) & set("0O1IL5S2Z")
