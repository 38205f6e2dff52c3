"""Pages far down in lists and trips from everywhere, without walking there.

A list of ten million trips has 200,000 pages, each of which only the page before names. So that their names are known
nevertheless, they are made here as `PageCursor.swift` and `TripRef.swift` make them, with the mart's own key, and places
are looked up in the file. Each is held against the server: it gave the same names, or nothing is measured.
"""

from __future__ import annotations

import base64
import hashlib
import math
import random
import sqlite3
from dataclasses import dataclass

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.keywrap import aes_key_wrap_with_padding

from comparison.data import SEED
from comparison.mart import Filter, Mart
from comparison.servers import Ours

PAGE = 50
DEPTHS = [1, 100, 1_000]
LAST = 0
ANYWHERE = -1


class Names:
    """What the server calls places in lists, and trips."""

    def __init__(self, mart: Mart) -> None:
        header, secret = mart.key_file.read_text(encoding="ascii").split("\n")[:2]
        if header != "triptych key 1":
            raise SystemExit(f"{mart.key_file.name} begins with {header!r}, and not as MartKeys writes it")

        self._cursor = derived(bytes.fromhex(secret), b"page-cursor")
        self._ref = derived(bytes.fromhex(secret), b"trip-ref")

    def cursor(self, one: Filter, generation: int, before: int) -> str:
        """The place in a list before which a trip stands, for somebody who may see all there are."""
        view = joined(["whole", "true", "all"])
        months = [one.first or "", one.last or ""]
        found = joined(["/trips", view, *months, one.trip_type or "", one.region or ""])
        plain = generation.to_bytes(8, "big") + before.to_bytes(8, "big")
        key = derived(self._cursor, hashlib.sha256(found.encode()).digest())
        return text(aes_key_wrap_with_padding(key, plain))

    def ref(self, trip_id: str) -> str:
        return text(aes_key_wrap_with_padding(self._ref, b"\x01" + trip_id.encode()))


def derived(key: bytes, info: bytes) -> bytes:
    return HKDF(SHA256(), 32, b"triptych key 1", info).derive(key)


def joined(parts: list[str]) -> str:
    return "".join(f"{len(part.encode())}:{part}" for part in parts)


def text(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


@dataclass(frozen=True)
class TripList:
    """A list, as its first page describes it."""

    one: Filter
    count: int
    generation: int

    @property
    def path(self) -> str:
        return f"/trips?limit={PAGE}" + (f"&{self.one.query}" if self.one.query else "")

    @property
    def last(self) -> int:
        """The number of its last page."""
        return max(1, math.ceil(self.count / PAGE))

    def page(self, cursor: str) -> str:
        return f"{self.path}&cursor={cursor}"


class Places:
    """Where the pages of lists begin, and which trips there are."""

    def __init__(self, mart: Mart, ours: Ours) -> None:
        self._mart, self._ours, self._names = mart, ours, Names(mart)

    def pages(self, one: Filter) -> dict[int, tuple[int, str]]:
        """The numbers and paths of the first, the deep and the last page of a list, as far as there are any."""
        first = self._ours.ask(TripList(one, 0, 0).path)
        found = TripList(one, first["total"], first["generation"])
        pages = {1: (1, found.path)}
        with self._mart.opened() as connection:
            def cursor(number: int) -> str:
                return self._names.cursor(one, found.generation, trip_before(connection, found, number))

            for depth in DEPTHS[1:]:
                if depth <= found.last:
                    pages[depth] = (depth, found.page(cursor(depth)))
            if found.last > 1:
                hold(cursor(2), first["next"], "the second page")
                end = cursor(found.last)
                pages[LAST] = (found.last, found.page(end))
                if found.last > 2:
                    before = self._ours.ask(found.page(cursor(found.last - 1)))
                    hold(end, before["next"], f"page {found.last:,}")
                self._reach_the_end(found, end)
        return pages

    def anywhere(self, one: Filter, count: int) -> list[str]:
        """Pages of a list that begin somewhere: a page's name says before which number its trips stand, whatever trip has that."""
        first = self._ours.ask(TripList(one, 0, 0).path)
        found = TripList(one, first["total"], first["generation"])
        with self._mart.opened() as connection:
            least, most = span(connection, one)
        chance = random.Random(f"{SEED} {one}")
        places = chance.sample(range(least + 1, most + 1), min(count, most - least))
        return [found.page(self._names.cursor(one, found.generation, place)) for place in places]

    def _reach_the_end(self, found: TripList, cursor: str) -> None:
        """Asks for the last page: it has the trips that are left, and leads nowhere."""
        end = self._ours.ask(found.page(cursor))
        left = found.count - PAGE * (found.last - 1)
        if end["next"] is not None or len(end["trips"]) != left:
            raise SystemExit(f"{found.path}: page {found.last:,} has {len(end['trips'])} trips and not the last {left}")

    def refs(self, count: int) -> list[str]:
        """As many trips, each another one, from everywhere in the store."""
        with self._mart.opened() as connection:
            first, last = connection.execute("SELECT min(trip_number), max(trip_number) FROM trip_row").fetchone()
            chosen = random.Random(SEED).sample(range(first, last + 1), min(2 * count, last + 1 - first))
            found = []
            for number in chosen:
                row = connection.execute(
                    "SELECT trip_id FROM trip_row WHERE trip_number = ? AND counted = 1", [number]).fetchone()
                if row is not None and len(found) < count:
                    found.append(self._names.ref(row[0]))
            newest = connection.execute(
                "SELECT trip_id FROM trip_row WHERE counted = 1 ORDER BY trip_number DESC LIMIT 1").fetchone()[0]
        given = self._ours.ask("/trips?limit=1")["trips"][0]["ref"]
        if self._names.ref(newest) != given:
            raise SystemExit("the server calls a trip otherwise than it is called here; see places.py and TripRef.swift")
        return found


def hold(made: str, given: str | None, what: str) -> None:
    """Ends where the server's name for a place is another one."""
    if made != given:
        raise SystemExit(f"the server calls {what} otherwise than it is called here; see places.py and PageCursor.swift")


def span(connection: sqlite3.Connection, one: Filter) -> tuple[int, int]:
    """The least and the largest number of a trip in the months of a list."""
    return connection.execute(
        "SELECT min(first_trip), max(last_trip) FROM month_range WHERE month BETWEEN ? AND ?",
        [one.first or "", one.last or "~"]).fetchone()


def trip_before(connection: sqlite3.Connection, found: TripList, number: int) -> int:
    """The number of the trip before a page, by the number of the page from two on."""
    one, before = found.one, PAGE * (number - 1)
    conditions, values = ["counted = 1", "trip_number BETWEEN ? AND ?"], [*span(connection, one)]
    for name, value in [("trip_type", one.trip_type), ("region", one.region)]:
        if value is not None:
            code = connection.execute("SELECT code FROM text_value WHERE value = ?", [value]).fetchone()
            conditions.append(f"{name} = ?")
            values.append(code[0])
    # The index is by both: of one alone it does not give trips in order.
    index = "INDEXED BY trip_row_type_region" if one.trip_type and one.region else "NOT INDEXED"
    # Counted from the nearer end.
    is_near = before <= found.count // 2
    order, offset = ("DESC", before - 1) if is_near else ("ASC", found.count - before)
    return connection.execute(
        f"SELECT trip_number FROM trip_row {index} WHERE {' AND '.join(conditions)} "
        f"ORDER BY trip_number {order} LIMIT 1 OFFSET ?", [*values, offset]).fetchone()[0]
