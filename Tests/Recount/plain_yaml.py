"""Reads the YAML that pipeline folders are written in; every scalar is the text as written.

The subset: block maps and lists, flow maps and lists, plain and quoted scalars, folded and literal
blocks, comments. Written for the recount, so that the referee shares no code with the program; the
program refuses what this reader does not know (anchors, tags, several documents).
"""

import re


class YAMLError(Exception):
    """The text is outside the subset."""


class Null:
    """Stands for a plain `null`, `~` or nothing; readers ask `is NULL`."""

    def __bool__(self):
        return False

    def __repr__(self):
        return "NULL"


NULL = Null()


def read(path):
    """Reads one file into dicts, lists, texts and NULL."""
    with open(path, encoding="utf-8") as file:
        return parse(file.read())


def parse(text):
    lines = [(len(line) - len(line.lstrip(" ")), line) for line in text.split("\n")]
    reader = _Blocks(lines)
    reader.skip_blank()
    if reader.at_end():
        return NULL
    value = reader.block(reader.indent())
    reader.skip_blank()
    if not reader.at_end():
        raise YAMLError(f"line {reader.position + 1} is indented unlike what stands above it")
    return value


def plain(text):
    return NULL if text in ("", "~", "null") else text


def without_comment(text):
    """Cuts a ` #` comment that stands outside quotes."""
    quote = ""
    index = 0
    while index < len(text):
        letter = text[index]
        if quote == '"' and letter == "\\":
            index += 1
        elif quote:
            if letter == quote:
                quote = ""
        elif letter in "'\"" and (index == 0 or text[index - 1] in " [{,:"):
            quote = letter
        elif letter == "#" and (index == 0 or text[index - 1] in " \t"):
            return text[:index].rstrip()
        index += 1
    return text.rstrip()


class _Blocks:
    """Walks over the lines; each method leaves the position after what it read."""

    KEY = re.compile(r'("(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|[^\s#\[\]{},"\'][^#]*?):(?: |$)')

    def __init__(self, lines):
        self.lines = lines
        self.position = 0

    def at_end(self):
        return self.position >= len(self.lines)

    def indent(self):
        return self.lines[self.position][0]

    def body(self):
        return without_comment(self.lines[self.position][1].strip())

    def skip_blank(self):
        while not self.at_end() and self.body() == "":
            self.position += 1

    def block(self, indent):
        """A map or a list whose lines begin at one indent."""
        body = self.body()
        if body == "-" or body.startswith("- "):
            return self.list(indent)
        if self.KEY.match(body):
            return self.map(indent)
        return self.inline(body, indent - 1)

    def list(self, indent):
        items = []
        while self.goes_on(indent) and (self.body() == "-" or self.body().startswith("- ")):
            rest = self.lines[self.position][1][indent + 1 :]
            inner = indent + 1 + len(rest) - len(rest.lstrip(" "))
            if without_comment(rest.strip()) == "":
                self.position += 1
                items.append(self.nested(indent))
                continue
            # What follows the dash is a block of its own, indented where it begins.
            self.lines[self.position] = (inner, " " * inner + rest.strip())
            items.append(self.block(inner))
        return items

    def map(self, indent):
        found = {}
        while self.goes_on(indent):
            body = self.body()
            match = self.KEY.match(body)
            if not match:
                raise YAMLError(f"line {self.position + 1}: expected `key: value`")
            key = _scalar(match.group(1).strip())
            if key in found:
                raise YAMLError(f"line {self.position + 1}: the key {key} stands twice")
            rest = body[match.end() :].strip()
            if rest == "":
                self.position += 1
                found[key] = self.nested(indent, lists_may_align=True)
            elif rest[0] in ">|":
                self.position += 1
                found[key] = self.text_block(rest, indent)
            else:
                found[key] = self.inline(rest, indent)
        return found

    def goes_on(self, indent):
        self.skip_blank()
        return not self.at_end() and self.indent() == indent

    def nested(self, indent, lists_may_align=False):
        self.skip_blank()
        if self.at_end():
            return NULL
        deeper = self.indent() > indent
        aligned = lists_may_align and self.indent() == indent and self.body().startswith("-")
        return self.block(self.indent()) if deeper or aligned else NULL

    def inline(self, text, indent):
        """A scalar or flow collection that may go on over more deeply indented lines."""
        self.position += 1
        while not self.at_end():
            body = self.body()
            is_open = text[0] in "[{" and not _is_closed(text)
            is_plain = text[0] not in "[{\"'"
            if body == "" or self.indent() <= indent or not (is_open or is_plain):
                break
            text += " " + body
            self.position += 1
        if text[0] in "[{":
            flow = _Flow(text)
            value = flow.value()
            flow.finish()
            return value
        return _scalar(text)

    def text_block(self, marks, indent):
        """`>` folds line ends into spaces, `|` keeps them; `-` drops the last one."""
        lines = []
        while not self.at_end():
            line = self.lines[self.position][1]
            if line.strip() and self.indent() <= indent:
                break
            lines.append(line)
            self.position += 1
        while lines and not lines[-1].strip():
            lines.pop()
        inner = min(len(line) - len(line.lstrip(" ")) for line in lines if line.strip())
        lines = [line[inner:].rstrip() for line in lines]
        text = "\n".join(lines) if marks[0] == "|" else _folded(lines)
        return text if "-" in marks else text + "\n"


def _folded(lines):
    text = ""
    for number, line in enumerate(lines):
        if number == 0:
            text = line
        elif line == "":
            text += "\n"
        else:
            text += line if text.endswith("\n") else " " + line
    return text


def _is_closed(text):
    try:
        flow = _Flow(text)
        flow.value()
        return True
    except YAMLError:
        return False


def _scalar(text):
    if text[:1] in ("'", '"'):
        flow = _Flow(text)
        value = flow.quoted()
        flow.finish()
        return value
    return plain(text)


class _Flow:
    """A value on one line: `{a: b, c: [d, e]}`."""

    ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "/": "/", "0": "\0", "r": "\r"}

    def __init__(self, text):
        self.text = text
        self.at = 0

    def skip(self):
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def peek(self):
        self.skip()
        if self.at >= len(self.text):
            raise YAMLError("a flow collection is not closed")
        return self.text[self.at]

    def finish(self):
        self.skip()
        if self.at != len(self.text):
            raise YAMLError(f"text after a value: column {self.at + 1}")

    def value(self):
        letter = self.peek()
        if letter == "{":
            return self.map()
        if letter == "[":
            return self.list()
        if letter in "'\"":
            return self.quoted()
        return plain(self.word(",]}"))

    def list(self):
        self.at += 1
        items = []
        while self.peek() != "]":
            items.append(self.value())
            if self.peek() == ",":
                self.at += 1
            elif self.peek() != "]":
                raise YAMLError("expected `,` or `]`")
        self.at += 1
        return items

    def map(self):
        self.at += 1
        found = {}
        while self.peek() != "}":
            key = self.quoted() if self.peek() in "'\"" else self.word(":,}")
            if self.peek() != ":":
                raise YAMLError("expected `:` after a key")
            self.at += 1
            if key in found:
                raise YAMLError(f"the key {key} stands twice")
            found[key] = NULL if self.peek() in ",}" else self.value()
            if self.peek() == ",":
                self.at += 1
            elif self.peek() != "}":
                raise YAMLError("expected `,` or `}`")
        self.at += 1
        return found

    def word(self, ends):
        start = self.at
        while self.at < len(self.text):
            letter = self.text[self.at]
            # A colon ends a key only before a space; times and URLs keep theirs.
            after = self.text[self.at + 1 : self.at + 2]
            if letter in ends and not (letter == ":" and after not in (" ", "")):
                break
            self.at += 1
        return self.text[start : self.at].strip()

    def quoted(self):
        mark = self.text[self.at]
        self.at += 1
        found = ""
        while True:
            if self.at >= len(self.text):
                raise YAMLError("a quote is not closed")
            letter = self.text[self.at]
            self.at += 1
            if letter == "\\" and mark == '"':
                escape = self.text[self.at]
                if escape not in self.ESCAPES:
                    raise YAMLError(f"unknown escape \\{escape}")
                found += self.ESCAPES[escape]
                self.at += 1
            elif letter == mark:
                if mark == "'" and self.text[self.at : self.at + 1] == "'":
                    found += "'"
                    self.at += 1
                else:
                    return found
            else:
                found += letter
