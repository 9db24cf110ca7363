"""Links to messages, as people copy them from Telegram."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.links import Place, PublicPlace, place_of


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("https://t.me/c/1234567890/77", Place("-1001234567890", "77")),
        ("t.me/c/1234567890/77", Place("-1001234567890", "77")),
        ("https://t.me/c/1234567890/12/77", Place("-1001234567890", "77")),
        ("https://t.me/c/1234567890/77?thread=12", Place("-1001234567890", "77")),
        ("https://t.me/c/1234567890/77?single", Place("-1001234567890", "77")),
        ("https://telegram.me/c/1234567890/77/", Place("-1001234567890", "77")),
        ("tg://privatepost?channel=1234567890&post=77&thread=12", Place("-1001234567890", "77")),
        ("https://t.me/teatalk/77", PublicPlace("teatalk", "77")),
        ("https://t.me/teatalk/12/77", PublicPlace("teatalk", "77")),
        ("https://t.me/teatalk", None),
        ("https://t.me/c/1234567890", None),
        ("https://t.me/c/tea/77", None),
        ("https://t.me/c/1234567890/77/8/9", None),
        ("https://example.com/c/1234567890/77", None),
        ("https://t.me.example.com/c/1/2", None),
        ("http://[::1", None),
        ("77", None),
        ("", None),
    ],
)
def test_a_link_leads_to_its_message_or_nowhere(link: str, place: Place | PublicPlace | None) -> None:
    assert place_of(link) == place


@given(st.text())
def test_whatever_is_given_leads_somewhere_or_nowhere(text: str) -> None:
    place = place_of(text)
    assert place is None or place.message.isdecimal()
