#!/usr/bin/env python3
"""Writes exports of claim lines with planted cases, and what they must come to.

    claim_exports.py --shape 837|cclf --seed N --out DIR [--claims N] [--odd]

DIR/in holds the deliveries, in two parts each, and DIR/expected.json the trips, dollars and miles
by month and class and the ledger in items and cents. Each line is written together with what must
become of it, so that nothing here joins anything. With `--odd` the lines are any lines instead, and
nothing is expected: the program and the recount must say the same. No person in the exports exists.
"""

import argparse
import gzip
import json
import os
import random
from datetime import date, timedelta

BASES = {"A0426": 30_000, "A0427": 50_000, "A0428": 25_000, "A0429": 40_000, "A0433": 70_000}
ANCILLARY = ("A0382", "A0422", "A0420")
PAIRS = ("RH", "HR", "SH", "HH", "NH", "RG", "EH")
# National Provider Identifiers with right check digits, of no provider.
VA, VENDORS = "1993999998", ("1234567893", "1245319599", "1111111112")
SITES = ("442", "528A8", "589A4", "671", "999")
COLUMNS = {
    "837": ("claim_control", "frequency", "original_ref", "line", "service_date", "hcpcs", "mod_1",
            "mod_2", "units", "charge", "paid", "pos", "billing_npi", "facility", "member"),
    "cclf": ("CUR_CLM_UNIQ_ID", "CLM_LINE_NUM", "BENE_MBI_ID", "CLM_TYPE_CD", "CLM_LINE_FROM_DT",
             "CLM_LINE_HCPCS_CD", "HCPCS_1_MDFR_CD", "HCPCS_2_MDFR_CD", "CLM_LINE_SRVC_UNIT_QTY",
             "CLM_LINE_ALOWD_CHRG_AMT", "CLM_LINE_CVRD_PD_AMT", "CLM_POS_CD",
             "RNDRG_PRVDR_NPI_NUM", "CLM_CNTL_NUM", "CLM_ADJSMT_TYPE_CD"),
}
BILLINGS = {"837": {"original": "1", "replacement": "7", "void": "8"},
            "cclf": {"original": "0", "replacement": "2", "void": "1"}}
DELIVERIES = ("260131", "260228", "260331", "260430")
TERMS = ("read", "accepted", "merged", "duplicate", "superseded", "withdrawn", "rejected")


def dollars(cents):
    if cents is None:
        return ""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


class Line:
    """One line and what must become of it."""

    def __init__(self, code, pair, units, cents, term, gm=False):
        self.code, self.pair, self.units, self.cents = code, pair, units, cents
        self.term = term
        self.gm = gm
        self.leg = 0                        # the trip of the claim that it belongs to

    def turned(self, term):
        other = self.again(term)
        other.units, other.cents = -self.units, -(self.cents or 0)
        return other

    def again(self, term, **changes):
        other = Line(self.code, self.pair, self.units, self.cents, term, self.gm)
        other.leg = self.leg
        for name, value in changes.items():
            setattr(other, name, value)
        return other


class World:
    """The deliveries as they grow, and the account of them."""

    def __init__(self, shape, seed):
        self.shape = shape
        self.dice = random.Random(f"{shape} {seed}")
        self.records = {name: [] for name in DELIVERIES}
        self.account = {term: [0, 0] for term in TERMS}
        self.numbers = {}
        self.sums = {}
        self.claims = 0
        self.is_odd = False

    def number(self):
        self.claims += 1
        return f"SYN-{self.claims:06}"

    def bill(self, delivery, claim, lines, billing="original", replaced="", unique=None, copies=1):
        """Writes the lines of a claim into a delivery."""
        own = []
        for _ in range(copies):
            for number, line in enumerate(lines, 1):
                own.append((self.cells(claim, line, number, billing, replaced, unique), line))
        self.records[DELIVERIES[delivery]].append([cells for cells, _ in own])
        for place, (_, line) in enumerate(own):
            term = line.term if place < len(lines) else "duplicate"
            for name in ("read", term):
                self.account[name][0] += 1
                self.account[name][1] += line.cents or 0

    def cells(self, claim, line, number, billing, replaced, unique):
        units = f"{line.units / 10:g}"
        word = BILLINGS[self.shape][billing]
        gm = "GM" if line.gm else ""
        code, day = line.code, claim.day
        if self.shape == "837":
            return (unique or claim.number, word, replaced, str(number), day.strftime("%Y%m%d"),
                    code, line.pair, gm, units, dollars(abs(line.cents or 0) * 2), dollars(line.cents),
                    "41", claim.npi, claim.site, claim.member)
        return (unique or claim.number, str(number), claim.member, "71", day.isoformat(), code,
                line.pair, gm, units, dollars(abs(line.cents or 0) * 2), dollars(line.cents), "41",
                claim.npi, claim.number, word)

    def count(self, claim, lines):
        """Counts the trips that some lines must make, leg by leg."""
        lines = [line for line in lines if line.term in ("accepted", "merged")]
        for leg in {line.leg for line in lines}:
            own = [line for line in lines if line.leg == leg]
            key = f"{claim.day:%Y-%m} {'in_house' if claim.npi == VA else 'contracted'}"
            cell = self.sums.setdefault(key, [0, 0, 0])
            cell[0] += 1
            cell[1] += sum(line.cents or 0 for line in own)
            # The units of mileage lines are tenths of a mile, those of others are not miles.
            cell[2] += sum(line.units * 10 for line in own if line.code in ("A0425", "A0888"))


class Claim:
    def __init__(self, world):
        dice = world.dice
        self.number = world.number()
        self.delivery = dice.randrange(2)
        self.day = date(2026, 1 + self.delivery, 1) + timedelta(days=dice.randrange(28))
        self.npi = dice.choice((VA, *VENDORS))
        self.site = dice.choice(SITES)
        self.member = f"{dice.randrange(10 ** 9):09}"


def leg(world, pair, number=0, gm=False, first="accepted", other="merged"):
    """The lines of one trip: base, mileage, perhaps ancillaries."""
    dice = world.dice
    code = dice.choice(list(BASES))
    share = 75 if gm else 100
    lines = [Line(code, pair, 10, BASES[code] * share // 100 + dice.randrange(999), first, gm)]
    miles = dice.randrange(5, 900)
    paid = None if dice.random() < 0.05 else miles * (37 if gm else 75)
    lines.append(Line("A0425", pair, miles, paid, other, gm))
    for extra in dice.sample(ANCILLARY, dice.choice((0, 0, 0, 1, 2))):
        lines.append(Line(extra, pair, 10, dice.randrange(200, 4000), other, gm))
    for line in lines:
        line.leg = number
    return lines


def terms(lines, first, other=None):
    """The same lines with other fates."""
    return [line.again(first if line.code in BASES else other or first) for line in lines]


# One function per planted case; each knows what must become of its lines.

def plain(world, claim):
    lines = leg(world, world.dice.choice(PAIRS))
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def base_only(world, claim):
    lines = leg(world, "RH")[:1]
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def round_trip(world, claim):
    out, back = leg(world, "RH"), leg(world, "HR", 1)
    lines = [out[0], back[0]] + back[1:] + out[1:]
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def twice_the_same_way(world, claim):
    """Two trips that nothing but the order of lines tells apart."""
    one, two = leg(world, "RH")[:2], leg(world, "RH", 1)[:2]
    lines = [one[0], two[0], one[1], two[1]]
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def no_modifier_on_mileage(world, claim):
    out, back = leg(world, "RH")[:2], leg(world, "HR", 1)[:2]
    out[1].pair = back[1].pair = ""
    lines = [out[0], out[1], back[0], back[1]]
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def several_patients(world, claim):
    """Two patients on board: two claims of one day, each a trip."""
    other = Claim(world)
    other.day, other.npi, other.delivery = claim.day, claim.npi, claim.delivery
    for one in (claim, other):
        lines = leg(world, "NH", gm=True)
        world.bill(one.delivery, one, lines)
        world.count(one, lines)


def orphan_mileage(world, claim):
    world.bill(claim.delivery, claim, terms(leg(world, "RH")[1:2], "rejected"))


def other_modifier(world, claim):
    lines = leg(world, "RH")[:2]
    lines[1] = lines[1].again("rejected", pair="HR")
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def unknown_code(world, claim):
    lines = leg(world, "SH") + [Line("J3490", "SH", 10, 999, "rejected")]
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def sent_again(world, claim):
    lines = leg(world, "RH")
    world.bill(claim.delivery, claim, lines)
    world.bill(claim.delivery + 1, claim, terms(lines, "duplicate"))
    world.count(claim, lines)


def corrected(world, claim):
    """The claim comes again with other miles: the later version counts as a whole."""
    lines = leg(world, "RH")
    world.bill(claim.delivery, claim, terms(lines, "superseded"))
    later = [lines[0], lines[1].again("merged", units=lines[1].units + 7)] + lines[2:]
    world.bill(claim.delivery + 1, claim, later)
    world.count(claim, later)


def mileage_again(world, claim):
    """A part of the claim comes again: a known line is a duplicate, another one an orphan."""
    lines = leg(world, "RH")
    world.bill(claim.delivery, claim, lines)
    # In 837 and CCLF files a line has its number, so that only an equal one is the same.
    world.bill(claim.delivery + 1, claim, [lines[1].again("rejected", cents=12_345)])
    world.count(claim, lines)


def replaced(world, claim):
    old, new = leg(world, "RH"), leg(world, "RH")
    if world.shape == "837":
        world.bill(claim.delivery, claim, terms(old, "superseded"))
        number = world.number()
        world.bill(claim.delivery + 1, claim, new, "replacement", claim.number, number)
    else:
        # A cancellation and an adjustment under the same control number.
        world.bill(claim.delivery, claim, terms(old, "withdrawn"))
        cancel = [line.turned("withdrawn") for line in old]
        world.bill(claim.delivery + 1, claim, cancel, "void", unique=world.number())
        world.bill(claim.delivery + 1, claim, new, "replacement", unique=world.number())
        # Both come in one file, in this order.
        both = world.records[DELIVERIES[claim.delivery + 1]]
        both[-2:] = [both[-2] + both[-1]]
    world.count(claim, new)


def replaced_in_the_same_delivery(world, claim):
    """The replacement stands before the claim that it replaces: the name decides."""
    if world.shape != "837":
        return plain(world, claim)
    old, new = leg(world, "RH"), leg(world, "RH")
    number = world.number()
    world.bill(claim.delivery, claim, new, "replacement", claim.number, number)
    world.bill(claim.delivery, claim, terms(old, "superseded"))
    world.bill(claim.delivery + 1, claim, terms(old, "duplicate"))
    return world.count(claim, new)


def replaced_twice(world, claim):
    if world.shape != "837":
        return plain(world, claim)
    first, second, third = (leg(world, "RH") for _ in range(3))
    numbers = [world.number(), world.number()]
    world.bill(claim.delivery, claim, terms(first, "superseded"))
    world.bill(claim.delivery + 1, claim, terms(second, "superseded"), "replacement", claim.number,
               numbers[0])
    world.bill(claim.delivery + 2, claim, third, "replacement", numbers[0], numbers[1])
    return world.count(claim, third)


def voided(world, claim):
    lines = leg(world, "HH")
    world.bill(claim.delivery, claim, terms(lines, "withdrawn"))
    if world.shape == "837":
        own = world.dice.random() < 0.5
        world.bill(claim.delivery + 1, claim, terms(lines, "withdrawn"), "void",
                   claim.number, world.number() if own else None)
    else:
        world.bill(claim.delivery + 1, claim, [line.turned("withdrawn") for line in lines], "void",
                   unique=world.number())


def taken_back(world, claim):
    """Every line is taken back in the same claim: no trip."""
    lines = terms(leg(world, "RH"), "withdrawn")
    for line in lines:
        line.cents = line.cents or 100
    world.bill(claim.delivery, claim, lines + [line.turned("withdrawn") for line in lines])


def taken_back_later(world, claim):
    """A later delivery takes every line back and bills the trip anew."""
    lines = terms(leg(world, "RH"), "withdrawn")
    for line in lines:
        line.cents = line.cents or 100
    world.bill(claim.delivery, claim, lines)
    new = [line.again("accepted" if line.code in BASES else "merged", cents=line.cents + 11)
           for line in lines]
    world.bill(claim.delivery + 1, claim, [line.turned("withdrawn") for line in lines] + new)
    world.count(claim, new)


def mileage_taken_back(world, claim):
    """The base line is taken back, its mileage is not: an orphan with its dollars."""
    lines = leg(world, "RH")[:2]
    base = lines[0].again("withdrawn")
    world.bill(claim.delivery, claim, [base, lines[1].again("rejected"), base.turned("withdrawn")])


def partly_taken_back(world, claim):
    lines = leg(world, "RH")
    part = Line(lines[0].code, "RH", 0, -lines[0].cents // 3, "merged")
    lines = lines + [part]
    world.bill(claim.delivery, claim, lines)
    world.count(claim, lines)


def nothing_left(world, claim):
    """Two parts take back the whole of the base line."""
    lines = leg(world, "RH")[:1]
    cents = lines[0].cents
    own = [lines[0].again("withdrawn"), Line(lines[0].code, "RH", 0, -100, "withdrawn"),
           Line(lines[0].code, "RH", 0, 100 - cents, "withdrawn")]
    world.bill(claim.delivery, claim, own)


def listed_twice(world, claim):
    """The same version twice in one delivery, line numbers and all."""
    lines = leg(world, "RH")
    world.bill(claim.delivery, claim, lines, copies=2)
    world.count(claim, lines)


CASES = (plain, plain, plain, plain, base_only, round_trip, round_trip, twice_the_same_way,
         no_modifier_on_mileage, several_patients, orphan_mileage, other_modifier, unknown_code,
         sent_again, sent_again, corrected, mileage_again, replaced, replaced,
         replaced_in_the_same_delivery, replaced_twice, voided, taken_back, taken_back_later,
         mileage_taken_back, partly_taken_back, nothing_left, listed_twice)


def odd(world, claim):
    """Any lines of a claim, in any deliveries, some of them lines of before."""
    dice = world.dice
    lines = []
    for _ in range(dice.randrange(1, 9)):
        if lines and dice.random() < 0.4:
            line = dice.choice(lines)
            if dice.random() < 0.4:
                line = line.again("read", cents=dice.choice((-100, 100, 0, None, 99_999_999_999)))
        else:
            codes = ("A0428", "A0428", "A0429", "A0425", "A0425", "A0422", "J3490", "")
            line = Line(dice.choice(codes),
                        dice.choice(("RH", "HR", "")), dice.choice((10, 10, 125, -10)),
                        dice.choice((100, 100, 50, -100, -50, -150, None)), "read")
        lines.append(line)
    known = [f"SYN-{dice.randrange(1, world.claims + 1):06}" for _ in range(3)]
    for line in lines:
        billing = dice.choice(("original", "original", "original", "replacement", "void"))
        world.bill(dice.randrange(len(DELIVERIES)), claim, [line] * dice.choice((1, 1, 1, 2)),
                   billing, dice.choice(("", *known)), dice.choice((None, None, *known)))


def write(world, folder):
    """Each delivery in two parts, cut at any line: a claim may begin in one and end in the next."""
    os.makedirs(os.path.join(folder, "in"), exist_ok=True)
    dice = world.dice
    separator = "," if world.shape == "837" else "|"
    header = separator.join(COLUMNS[world.shape])
    for name, claims in world.records.items():
        if not claims:
            continue
        if world.shape == "cclf":
            dice.shuffle(claims)
        lines = [separator.join(cells) for claim in claims for cells in claim]
        cut = dice.randrange(len(lines) // 3, 2 * len(lines) // 3 + 1)
        for part, own in ((1, lines[:cut]), (2, lines[cut:])):
            text = "\n".join([header, *own]) + "\n"
            path = (f"claims_{name}_{part}.csv" if world.shape == "837"
                    else f"cclf5_D{name}_{part}.txt")
            path = os.path.join(folder, "in", path)
            if dice.random() < 0.3:
                with open(path + ".gz", "wb") as file:
                    file.write(gzip.compress(text.encode(), mtime=0))
            else:
                with open(path, "w", encoding="utf-8", newline="") as file:
                    file.write(text)
    if world.is_odd:
        return
    expected = {"sums": dict(sorted(world.sums.items())), "ledger": world.account}
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(expected, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--shape", choices=("837", "cclf"), required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--out", required=True)
    parser.add_argument("--odd", action="store_true")
    given = parser.parse_args()
    world = World(given.shape, given.seed)
    # Each case at least once, then any.
    cases = list(dict.fromkeys(CASES))
    cases += [world.dice.choice(CASES) for _ in range(max(0, given.claims - len(cases)))]
    if given.odd:
        world.is_odd = True
        cases = [odd] * given.claims
    world.dice.shuffle(cases)
    for case in cases:
        case(world, Claim(world))
    write(world, given.out)


if __name__ == "__main__":
    main()
