"""Texts of cells into values, by the words of the specification: cents, hundredths, times, NPIs.

Each reader returns the value, or raises Unreadable. None is NULL and never passed in.
"""

import math
import re
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc


class Unreadable(Exception):
    """The text does not read as the declared type."""


AMOUNT = re.compile(r"(?P<whole>\d{1,3}(?:,\d{3})+|\d*)(?:\.(?P<part>\d*))?", re.ASCII)


def hundredths(text):
    """A decimal number as whole hundredths; further decimals must be zeros, nothing is rounded."""
    sign = 1
    if text[:1] in ("-", "+"):
        sign = -1 if text[0] == "-" else 1
        text = text[1:]
    match = AMOUNT.fullmatch(text)
    whole, part = (match.group("whole"), match.group("part") or "") if match else ("", "")
    if whole == "" and part == "" or part[2:].strip("0"):
        raise Unreadable
    if len(whole.replace(",", "")) > 9:
        raise Unreadable
    return fitting(sign * (int(whole.replace(",", "") or "0") * 100 + int((part + "00")[:2])))


def fitting(value):
    """A whole number that 64 bits hold."""
    if not -(2**63) <= value < 2**63:
        raise Unreadable
    return value


def shares(amount, count):
    """An amount divided into whole hundredths; the first shares get the odd ones."""
    size, odd = divmod(abs(amount), count)
    sign = -1 if amount < 0 else 1
    return [sign * (size + (1 if place < odd else 0)) for place in range(count)]


def miles(text):
    """A number of miles: with a sign or in parentheses, thousands grouped by commas."""
    if text.startswith("(") and text.endswith(")"):
        if text[1:2] in ("-", "+"):
            raise Unreadable
        return -hundredths(text[1:-1])
    return hundredths(text)


def money(text):
    """`$1,184.50`, `(12.00)`, `-12.00`, `1184.5` in cents: as miles are, with at most one `$`."""
    for before in ("($", "-$", "+$", "$-", "$+", "$"):
        if text.startswith(before):
            text = before.replace("$", "") + text[len(before):]
            break
    return miles(text)


def integer(text):
    if not re.fullmatch(r"[+-]?\d{1,19}", text, re.ASCII):
        raise Unreadable
    return fitting(int(text))


def decimal(text):
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII):
        raise Unreadable
    if math.isinf(float(text)):
        raise Unreadable
    return float(text)


TRUTHS = {"1": 1, "true": 1, "yes": 1, "y": 1, "t": 1, "0": 0, "false": 0, "no": 0, "n": 0, "f": 0}


def boolean(text):
    if text.lower() not in TRUTHS:
        raise Unreadable
    return TRUTHS[text.lower()]


def npi(text):
    """Ten digits beginning with 1 or 2 whose last one is the Luhn digit over 80840 + the number."""
    if not re.fullmatch(r"[12]\d{9}", text, re.ASCII):
        raise Unreadable
    total = 24
    for place, letter in enumerate(reversed(text)):
        digit = int(letter) * (2 if place % 2 else 1)
        total += digit - 9 if digit > 9 else digit
    if total % 10:
        raise Unreadable
    return text


def codes(text):
    """A list of two-character codes: runs of letters and digits between marks, each of even size."""
    runs = re.split(r"[\t ,\-./:;|]+", text.upper())
    if not all(re.fullmatch(r"([A-Z0-9]{2})*", run, re.ASCII) for run in runs):
        raise Unreadable
    return " ".join(run[place:place + 2] for run in runs for place in range(0, len(run), 2))


ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?"
    r"([Zz]|[+-]\d{2}(?::?\d{2})?)?", re.ASCII)

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SHORT, PAIR = r"(\d{1,2})", r"(\d{2})"
# One entry per run of letters of a format: the pattern it reads and the part it gives.
LETTERS = {
    "yyyy": (r"(\d{4})", "year"), "yy": (PAIR, "short year"), "MMM": (r"([A-Za-z]{3})", "name"),
    "MM": (SHORT, "month"), "M": (SHORT, "month"), "dd": (SHORT, "day"), "d": (SHORT, "day"),
    "HH": (SHORT, "hour"), "H": (SHORT, "hour"), "hh": (SHORT, "clock"), "h": (SHORT, "clock"),
    "mm": (PAIR, "minute"), "m": (PAIR, "minute"), "ss": (PAIR, "second"), "s": (PAIR, "second"),
    "a": (r"([AaPp][Mm])", "half"),
    "Z": (r"(Z|[+-]\d{2}(?::?\d{2})?)", "zone"),
}


def compiled(form):
    """A format of letters as a pattern and the parts its groups give."""
    pattern = ""
    parts = []
    for run in re.findall(r"'[^']*'|y+|M+|d+|H+|h+|m+|s+|S+|a+|Z|.", form):
        if run in LETTERS:
            pattern += LETTERS[run][0]
            parts.append(LETTERS[run][1])
        elif run[0] == "S":
            pattern += r"\d+"
        elif run[0] == "'":
            pattern += re.escape(run[1:-1])
        elif run.isascii() and run.isalpha():
            raise ValueError(f"the format letters {run} are not known to the recount")
        else:
            pattern += re.escape(run)
    return re.compile(pattern, re.ASCII), parts


FORMATS = {}


class Implausible(Exception):
    """A time stamp that exists and cannot be meant: a year before 1900 or after 2199."""


def moment(text, forms):
    """A time stamp as (naive datetime, offset), offset None where none is written."""
    found = written_moment(text, forms)
    if not 1900 <= found[0].year <= 2199:
        raise Implausible
    return found


def written_moment(text, forms):
    for form in forms:
        if form == "iso8601":
            match = ISO.fullmatch(text)
            if match:
                return iso_moment(match)
            continue
        if form not in FORMATS:
            FORMATS[form] = compiled(form)
        pattern, names = FORMATS[form]
        match = pattern.fullmatch(text)
        if match:
            try:
                return lettered_moment(dict(zip(names, match.groups())))
            except ValueError:
                continue
    raise Unreadable


def iso_moment(match):
    parts = [int(part or 0) for part in match.groups()[:6]]
    # Python knows no year 0; its days are those of year 4, and it is implausible in any case.
    year_zero = parts[0] == 0
    try:
        found = datetime(*([4] + parts[1:] if year_zero else parts)), offset(match.group(7))
    except ValueError:
        raise Unreadable from None
    return found


def offset(zone):
    """`Z` or `-04:00` as a time to be taken off for UTC; None where nothing is written."""
    if not zone:
        return None
    if zone in "Zz":
        return timedelta()
    digits = zone[1:].replace(":", "").ljust(4, "0")
    if int(digits[2:]) > 59 or int(digits[:2]) > 18:
        raise ValueError
    found = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -found if zone[0] == "-" else found


def lettered_moment(parts):
    year = int(parts.get("year", 0))
    if "short year" in parts:
        year = int(parts["short year"])
        year += 1900 if year >= 69 else 2000
    month = MONTHS.index(parts["name"].lower()) + 1 if "name" in parts else int(parts["month"])
    hour = int(parts.get("hour", 0))
    if "clock" in parts:
        hour = int(parts["clock"])
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if parts["half"].lower() == "pm" else 0)
    return datetime(year, month, int(parts["day"]), hour, int(parts.get("minute", 0)),
                    int(parts.get("second", 0))), offset(parts.get("zone"))


def day(text, forms):
    for form in forms:
        if form == "iso8601":
            if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
                try:
                    return date.fromisoformat(text).isoformat()
                except ValueError:
                    raise Unreadable from None
            continue
        try:
            return moment(text, [form])[0].date().isoformat()
        except Unreadable:
            continue
    raise Unreadable


def on_clocks(naive, offset, zone_at):
    """The month rule: local and UTC time of one stamp, both naive.

    A non-zero numeric offset is the facility's calendar; `Z` and `+00:00` are instants, converted
    by the facility's zone; without an offset the text is local as written. `zone_at` gives the
    zone's name for a day.
    """
    if offset:
        return naive, naive - offset
    if offset is None:
        local = naive.replace(tzinfo=ZoneInfo(zone_at(naive.date().isoformat())))
        return naive, local.astimezone(UTC).replace(tzinfo=None)
    # The zone may depend on the local day, and the day on the zone: the day of the instant in
    # UTC chooses the zone, and the local day that follows may choose it once more.
    instant = naive.replace(tzinfo=UTC)
    first = instant.astimezone(ZoneInfo(zone_at(naive.date().isoformat())))
    local = instant.astimezone(ZoneInfo(zone_at(first.date().isoformat())))
    return local.replace(tzinfo=None), naive


def is_plain_clock(local, zone):
    """Whether a local time without offset names exactly one instant of its zone."""
    place = ZoneInfo(zone)
    early, late = (local.replace(tzinfo=place, fold=fold).utcoffset() for fold in (0, 1))
    return early == late
