"""`/persona` through the whole bot: a real dispatcher, a small Telegram, a real database."""

from __future__ import annotations

import pytest

from bot.model import ChatId, Lane
from bot.store import PostgresStore
from bot.telegram import wording
from tests.cards.samples import MIA as CARD
from tests.cards.samples import card_chunk, png
from tests.fakes.bot_api_call import Refused
from tests.fakes.bot_api_faults import Fault
from tests.telegram.intake_rig import now
from tests.telegram.persona_rig import a_card, carried_out, sends_card, told, told_of
from tests.telegram.serving_rig import HeldChat, serving


async def test_a_card_sent_in_private_becomes_that_chats_persona_and_no_others(store: PostgresStore, dsn: str) -> None:
    model = HeldChat("never")
    async with serving(store, dsn, chat=model) as r:
        ann, bob = r.api.person("Ann"), r.api.person("Bob")
        await sends_card(r, ann, r.bot, a_card())
        here = r.api.private(ann, r.bot)
        assert await told(r, here, 2) == ["I am Mirelle now.", "Welcome to the greenhouse, Ann. I am Mirelle."]
        await ann.says(r.bot, "hello?")
        await bob.says(r.bot, "hello?")
        await told(r, here, 3)
        await told(r, r.api.private(bob, r.bot), 1)
        mirelle, mia = sorted(told_of(model.asked), key=lambda text: "orchids" not in text)
        assert "Mirelle grows orchids." in mirelle
        assert "<Mirelle (you)> Welcome to the greenhouse, Ann. I am Mirelle." in mirelle
        assert "/persona" not in mirelle.partition("# New messages")[2]
        assert "orchids" not in mia
        await ann.says(r.bot, "/persona reset")
        assert (await told(r, here, 4))[3] == "I am Mia now."
        await told(r, here, 5)
        await ann.says(r.bot, "/persona default")
        assert (await told(r, here, 6))[5] == "I am Mia already."
    assert [row["persona"] for row in await r.rows("SELECT persona FROM messages WHERE turn_id IS NOT NULL ORDER BY 1")]
    assert [tuple(row) for row in await r.rows("SELECT card, persona, greeting FROM chat_personas")] == [
        (None, "Mia", 0)
    ]
    assert len(await r.rows("SELECT FROM cards")) == 1


async def test_in_a_group_only_whom_telegram_calls_an_admin_changes_who_the_bot_is(
    store: PostgresStore, dsn: str
) -> None:
    async with serving(store, dsn, chat=HeldChat("never")) as r:
        ann, bob, eve = r.api.person("Ann"), r.api.person("Bob"), r.api.person("Eve")
        tea = r.api.supergroup("Tea", ann, bob, eve, r.bot)
        club = r.api.channel("Club", ann, linked=tea)
        await sends_card(r, eve, tea, a_card())
        await carried_out(r)
        await sends_card(r, eve, tea, a_card(), as_channel=club)
        await carried_out(r)
        await sends_card(r, eve, tea, a_card(), caption="/persona@other_bot")
        await ann.posts(club, "/persona reset")  # passed on into the group by Telegram, not said there by an admin
        await carried_out(r)
        said = await r.api.sent(tea, 2)
        assert [message.text for message in said] == [wording.NOT_ADMIN] * 2
        assert said[0].reply_to is not None
        await ann.promotes(bob, tea)
        await sends_card(r, bob, tea, a_card(group_only_greetings=["All of you!"]))
        assert (await told(r, tea, 4))[2:] == ["I am Mirelle now.", "Welcome to the greenhouse, Bob. I am Mirelle."]
        await ann.promotes(ann, tea, anonymous=True)
        await ann.says(tea, f"/persona@{r.bot.username} greeting 1")
        assert (await told(r, tea, 5))[4] == "All of you!"
        await carried_out(r)
        assert len(await r.api.sent(tea, 5)) == 5
        asked = r.api.requests("getChatMember")
        assert [int(request.args["user_id"]) for request in asked] == [eve.id, bob.id]
    assert [row["greeting"] for row in await r.rows("SELECT greeting FROM chat_personas")] == [1]


async def test_the_name_by_which_a_group_calls_the_bot_is_that_of_its_persona_there(
    store: PostgresStore, dsn: str
) -> None:
    model = HeldChat("never")
    async with serving(store, dsn, chat=model) as r:
        ann = r.api.person("Ann")
        tea, soup = r.api.supergroup("Tea", ann, r.bot), r.api.supergroup("Soup", ann, r.bot)
        await ann.says(tea, "nobody is called yet")
        await sends_card(r, ann, tea, a_card(first_mes=""))
        assert await told(r, tea, 1) == ["I am Mirelle now."]
        await carried_out(r)
        await ann.says(tea, "Mia, are you there?")
        await ann.says(soup, "Mirelle, are you there?")
        await ann.says(tea, "Mirelle, are you there?")
        await ann.says(soup, "Mia, are you there?")
        await told(r, tea, 2)
        await told(r, soup, 1)
        assert len(model.asked) == 2


async def test_whoever_uses_it_wrongly_is_told_in_one_line(store: PostgresStore, dsn: str) -> None:
    photo = {"photo": [{"file_id": "p", "file_unique_id": "p", "width": 9, "height": 9}]}
    command = {"caption": "/persona", "caption_entities": [{"type": "bot_command", "offset": 0, "length": 8}]}
    async with serving(store, dsn, chat=HeldChat("never")) as r:
        people = iter([r.api.person(f"Ann {n}") for n in range(7)])  # each chat gets one message a second

        async def hears(expected: str, *, says: str = "", file: bytes | None = None, size: int | None = None) -> None:
            who = next(people)
            if file is not None:
                await sends_card(r, who, r.bot, file, told=size)
            elif says:
                await who.says(r.bot, says)
            else:
                await who.sends(r.bot, {**photo, **command})
            assert await told(r, r.api.private(who, r.bot), 1) == [expected]

        await hears(wording.USAGE, says="/persona please")
        await hears("Mia has greetings 0 to 1: write /persona greeting 0, or another of these numbers.",
                    says="/persona greeting 99")  # fmt: skip
        await hears(wording.PHOTO)
        await hears("The card is empty; choose another file.", file=b" ")
        await hears(wording.TOO_LARGE, file=b"{}", size=17 << 20)
        r.api.order(Fault(refused=Refused(400, "invalid file_id")), to="getFile")
        await hears(wording.NO_FILE, file=a_card())
        r.api.order(Fault(html=(502, "<html>")), to="getFile")
        await hears("I am Mirelle now.", file=a_card(first_mes=""))  # it was asked again
    assert all("\n" not in text for text in (wording.USAGE, wording.PHOTO, wording.TOO_LARGE, wording.NO_FILE))


async def test_a_card_is_taken_from_the_file_that_the_command_answers_however_it_lies_of_its_size(
    store: PostgresStore, dsn: str
) -> None:
    async with serving(store, dsn, chat=HeldChat("never")) as r:
        ann, bob = r.api.person("Ann"), r.api.person("Bob")
        message = await sends_card(
            r, ann, r.bot, png(card_chunk({**CARD, "name": "Mirelle", "first_mes": ""})), caption=""
        )
        await told(r, r.api.private(ann, r.bot), 1)  # a file alone is a message like any other
        await ann.replies(message, "/persona")
        assert (await told(r, r.api.private(ann, r.bot), 2))[1] == "I am Mirelle now."
        large = r.api.file("large", b" " * ((16 << 20) + 1), told=5)
        document = {"file_id": large, "file_unique_id": large, "file_size": 5}
        caption = {"caption": "/persona", "caption_entities": [{"type": "bot_command", "offset": 0, "length": 8}]}
        await bob.sends(r.bot, {"document": document, **caption})
        assert await told(r, r.api.private(bob, r.bot), 1) == [wording.TOO_LARGE]


@pytest.mark.parametrize("refused", [False, True])
async def test_persona_alone_shows_the_picture_and_what_the_cards_maker_says_or_the_words_alone(
    store: PostgresStore, dsn: str, *, refused: bool
) -> None:
    notes = "Mirelle is for all ages. " + "Be kind to her orchids. " * 200
    card = {"spec": "chara_card_v2", "data": {"name": "Mirelle", "creator_notes": notes}}
    async with serving(store, dsn, chat=HeldChat("never")) as r:
        ann = r.api.person("Ann")
        await sends_card(r, ann, r.bot, png(card_chunk(card, keyword="chara")))
        here = r.api.private(ann, r.bot)
        await told(r, here, 1)
        if refused:
            why = Refused(400, "not enough rights to send photos to the chat")
            r.api.order(Fault(refused=why), to="sendPhoto")
        await ann.says(r.bot, "/persona")
        message = (await r.api.sent(here, 2))[1]
        assert ("photo" in message.content) is not refused
        assert len(message.text) <= 1024
        assert message.text.startswith(
            "I am Mirelle.\n\nFrom the maker of this card:\nMirelle is for all ages. Be kind"
        )
        assert "/persona reset makes me Mia again." in message.text
        await carried_out(r)
    assert [row["state"] for row in await r.rows("SELECT state FROM outbox")] == ["sent", "sent"]


async def test_whoever_starts_a_private_chat_is_greeted_once(store: PostgresStore, dsn: str) -> None:
    model = HeldChat("never")
    async with serving(store, dsn, chat=model) as r:
        ann = r.api.person("{{char}}")
        await ann.says(r.bot, "/start")
        here = r.api.private(ann, r.bot)
        [greeting] = await told(r, here, 1)
        assert greeting.startswith("Hi, I'm Mia.")
        assert model.asked == []
        await ann.says(r.bot, "/start")
        assert (await told(r, here, 2))[1] == "noted"  # from then on it is a message like any other
        lane = Lane(ChatId(1), "")
        assert (await store.view(lane, limit=9, now=now(), persona="Mia")).greeting == 0
        assert (await store.view(lane, limit=9, now=now(), persona="Tavi")).greeting is None
        await ann.says(r.bot, "/persona greeting 1")
        assert (await told(r, here, 3))[2].startswith("嗨，我是Mia")


async def test_any_greeting_of_many_can_be_chosen_and_one_that_comes_to_nothing_is_told_in_our_words(
    store: PostgresStore, dsn: str
) -> None:
    many = ["", *(f"greeting {n}" for n in range(2, 1500)), "{{// nothing}}", "\u200b"]
    async with serving(store, dsn, chat=HeldChat("never")) as r:
        ann = r.api.person("Ann")
        await sends_card(r, ann, r.bot, a_card(first_mes="{{noop}}", alternate_greetings=many))
        here, said = r.api.private(ann, r.bot), ["I am Mirelle now."]
        assert await told(r, here, 1) == said
        for number, greeting in {"1234": "greeting 1234", "1500": "I am Mirelle.", "001501": "I am Mirelle."}.items():
            await ann.says(r.bot, f"/persona greeting {number}")
            said.append(greeting)
            assert await told(r, here, len(said)) == said
        await carried_out(r)
    assert [row["greeting"] for row in await r.rows("SELECT greeting FROM chat_personas")] == [1501]
