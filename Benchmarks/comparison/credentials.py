"""Rows of `stress.py`: passwords, tokens, and what the time of an answer tells."""

from __future__ import annotations

import base64
import concurrent.futures
import secrets
import threading
import time
from typing import Callable, Iterator

from comparison.stressed import ASKED, PATIENCE_MILLISECONDS, Finding, Stressed, tails
# Found by the path that comparison.servers knows.
from served import CLIENT, account

ROUNDS = 1_000
# Seconds in which a replaced token may come again, since requests cross each other, and some more.
GRACE = 25
REPLAYS = 50
GUESSES = 10_000
TIMES = 200


def hashing(one: Stressed) -> Iterator[Finding]:
    """Passwords, each of which costs 128 MiB and some tenths of a second, from many at once."""
    before, statuses, ends = one.asked(), [], threading.Event()

    def guess() -> None:
        while not ends.is_set():
            statuses.append(one.server.code("n" + secrets.token_hex(8), "v" * 43, "wrong " * 4).status)

    with concurrent.futures.ThreadPoolExecutor(200) as threads:
        guessing = [threads.submit(guess) for _ in range(200)]
        after = one.asked()
        full = one.megabytes
        ends.set()
    # Whoever got no answer says so here.
    for each in guessing:
        each.result()
    counts = {status: statuses.count(status) for status in sorted(set(statuses))}
    yield Finding(
        "200 who sign in without pause", ASKED, f"{tails(before, after)}, {full:,.0f} MB; of the sign-ins {counts}",
        "no faults, all within 1.2 s; two at once, the others 503",
        after.faults == 0 and max(after.milliseconds) <= PATIENCE_MILLISECONDS and set(counts) == {403, 503},
    )


def guesses(one: Stressed) -> Iterator[Finding]:
    """As many passwords for one name as there is time for; and whether times tell who has an account."""
    account(str(one.mart.folder), "target", "--role", "viewer")
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(
            lambda _: one.server.code("target", "v" * 43, "a wrong password").status, range(GUESSES)))
    looked_at = answers.count(403)
    counts = {status: answers.count(status) for status in sorted(set(answers))}
    yield Finding(f"{GUESSES:,} guesses at one name, eight at once", "", f"{looked_at} looked at; of the answers {counts}",
                  "at most 100 looked at, the others 429 or 503", 0 < looked_at <= 100 and set(counts) <= {403, 429, 503})
    for number in range(40):
        account(str(one.mart.folder), f"known{number}", "--role", "viewer")
    names = {True: [f"known{number}" for number in range(40)], False: [f"other{number}" for number in range(40)]}

    def tried(is_known: bool, number: int) -> None:
        one.server.code(names[is_known][number % 40], "v" * 43, "a wrong password")

    yield told_apart("whether a name is known, by the time a guess takes", tried)


def told_apart(what: str, ask: Callable[[bool, int], None]) -> Finding:
    """Whether times tell two kinds of requests apart, which come in turn."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415

    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(TIMES):
        # Neither always comes first.
        for kind in [True, False] if number % 2 else [False, True]:
            began = time.perf_counter()
            ask(kind, number)
            times[kind].append(time.perf_counter() - began)
    found = mannwhitneyu(times[True], times[False]).pvalue
    return Finding(what, "", f"p = {found:.2f} (Mann–Whitney, {TIMES} of each, in turn)", "p > 0.05", found > 0.05)


def timing(one: Stressed) -> Iterator[Finding]:
    """Whether times tell a trip of another region, or a number of one, from what does not exist."""
    regions = [each["region"] for each in one.ours.ask("/regions")["regions"]]
    account(str(one.mart.folder), "regional", "--role", "administrator", "--region", regions[0])
    own = {"authorization": "Bearer " + one.server.sign_in("regional")["access_token"]}
    elsewhere = one.ours.ask(f"/trips?limit={TIMES}&region={regions[1]}")["trips"]
    connection = one.server.connection()

    def answered(path: str) -> tuple[int, bytes]:
        connection.request("GET", path, headers=own)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def opened(is_there: bool, number: int) -> None:
        ref = elsewhere[number % len(elsewhere)]["ref"]
        # As well-formed: what is no reference at all tells nothing.
        size = len(base64.urlsafe_b64decode(ref + "=="))
        made_up = base64.urlsafe_b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        assert answered("/trip/" + (ref if is_there else made_up))[0] == 404

    def filtered(is_there: bool, number: int) -> None:
        region = regions[1 + number % (len(regions) - 1)] if is_there else f"{number % 90 + 100}"
        assert answered(f"/kpi?region={region}")[0] == 400

    yield told_apart("whether a trip of another region is there", opened)
    yield told_apart("whether another region is there", filtered)
    connection.close()


def refresh(one: Stressed) -> Iterator[Finding]:
    """The same refresh token eight times at once, again and again; then many that were replaced long ago."""
    locked = 0

    def renewed(token: str) -> object:
        fields = {**CLIENT, "grant_type": "refresh_token", "refresh_token": token}
        return one.server.send("/token", fields)

    old = [one.server.sign_in("bench")["refresh_token"] for _ in range(REPLAYS)]
    new = [renewed(token).json["refresh_token"] for token in old]
    with concurrent.futures.ThreadPoolExecutor(8) as threads:
        token, began, count = one.server.sign_in("bench")["refresh_token"], time.monotonic(), 0
        while count < ROUNDS or time.monotonic() < began + GRACE:
            count += 1
            answers = list(threads.map(lambda _, token=token: renewed(token), range(8)))
            locked += sum(answer.status != 200 for answer in answers)
            token = answers[0].json["refresh_token"]
    yield Finding(f"a refresh token eight times at once, {count:,} times", "", f"{locked} locked out", "0", locked == 0)
    refused = sum(renewed(token).status == 400 for token in old)
    ended = sum(renewed(token).status == 400 for token in new)
    yield Finding(
        f"{REPLAYS} refresh tokens that were replaced before", "", f"{refused} refused, {ended} of their sessions ended",
        "all of both", refused == ended == REPLAYS,
    )
