"""The contract in HTML: texts, kinds, the members of objects."""

import html
import json
import os
import re

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))

with open(os.path.join(HERE, "../../Sources/TripServer/API/health-dashboard.yaml"), encoding="utf-8") as document:
    DOCUMENT = yaml.safe_load(document)
SCHEMAS = DOCUMENT["components"]["schemas"]


def escaped(text):
    return html.escape(str(text), quote=False)


def inline(text):
    """Words with **weight**, *stress*, and `code`."""
    text = escaped(" ".join(str(text).split()))
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def paragraphs(text):
    return "".join(f"<p>{inline(part)}</p>\n" for part in (text or "").strip().split("\n\n") if part)


def name_of(node):
    """The name a reference ends with; None where a node is none."""
    return node["$ref"].split("/")[-1] if "$ref" in node else None


def resolved(node):
    while "$ref" in node:
        target = DOCUMENT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = target
    return node

def kind(schema):
    """A schema in a few words; objects with a name as links."""
    name, schema = name_of(schema), resolved(schema)
    end = " or null" if schema.get("nullable") else ""
    if "oneOf" in schema:
        return " or ".join(kind(one) for one in schema["oneOf"])
    if name and schema.get("type") == "object":
        return f'<a href="#{name}">{name}</a>{end}'
    if schema.get("type") == "array":
        return "list of " + kind(schema["items"]) + end
    if "enum" in schema:
        words = [word if isinstance(word, str) else json.dumps(word) for word in schema["enum"] if word is not None]
        return ", ".join(f"<code>{escaped(word)}</code>" for word in words) + end
    words = escaped(schema.get("format") or schema.get("type", "any"))
    bounds = [str(schema[key]) for key in ("minimum", "maximum") if key in schema]
    words += {0: "", 1: f" from {bounds[0]}" if bounds else "", 2: " " + " to ".join(bounds)}[len(bounds)]
    if name and "example" in schema:
        words += f", such as <code>{escaped(schema['example'])}</code>"
    return words + end


def inner(schema):
    """The object that a member is, or is a list of, where it has no name of its own; else None."""
    while "$ref" not in schema and schema.get("type") == "array":
        schema = schema["items"]
    return schema if "$ref" not in schema and schema.get("properties") else None


def entry(name, is_sure, words, meaning, absent):
    small = words if is_sure else f"{words}; {absent}"
    return f"<dt><code>{escaped(name)}</code> <small>{small}</small></dt>\n<dd>{inline(meaning)}</dd>\n"


def members(schema, before="", absent="may be missing", left=()):
    """The members of an object, those of objects in it that have no name after them."""
    lines = []
    for name, value in schema.get("properties", {}).items():
        if name in left:
            continue
        meaning = value.get("description") or resolved(value).get("description", "")
        if resolved(value).get("type") == "object" and "$ref" in value:
            meaning = ""
        lines.append(entry(before + name, name in schema.get("required", []), kind(value), meaning, absent))
        if inner(value):
            end = "[]." if value.get("type") == "array" else "."
            lines.append(members(inner(value), before + name + end, absent))
    return "".join(lines)


def whole_of(name):
    """The schema whose members all stand at the end of another one; None where there is none."""
    own = list(SCHEMAS[name].get("properties", {}).items())
    for other, schema in SCHEMAS.items():
        parts = list(schema.get("properties", {}).items())
        if 5 < len(parts) < len(own) and own[-len(parts):] == parts:
            return other
    return None


def named(schema):
    """The names of the objects in a schema, outermost first."""
    name = name_of(schema)
    if name and resolved(schema).get("type") == "object":
        yield name
        return
    schema = resolved(schema)
    for part in [*schema.get("properties", {}).values(), *schema.get("oneOf", []), schema.get("items")]:
        if part:
            yield from named(part)


def objects(contents):
    """The names of all objects that answers are made of, those that they lead to after them."""
    found = [name for content in contents for name in named(content["schema"])]
    for name in found:
        # It grows while it is read.
        inside = [each for part in SCHEMAS[name].get("properties", {}).values() for each in named(part)]
        found += [each for each in dict.fromkeys([*inside, *filter(None, [whole_of(name)])]) if each not in found]
    return list(dict.fromkeys(found))


def example(value):
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
    return f'<details><summary>Example</summary>\n<pre tabindex="0">{escaped(text)}</pre>\n</details>\n'


def schema_section(name):
    schema, whole = SCHEMAS[name], whole_of(name)
    left = SCHEMAS[whole]["properties"] if whole else ()
    more = f'<p>And all members of <a href="#{whole}">{whole}</a>.</p>\n' if whole else ""
    shown = example(schema["example"]) if "example" in schema else ""
    return (f'<section id="{name}">\n<h3>{name}</h3>\n{paragraphs(schema.get("description"))}'
            f"<dl>\n{members(schema, left=left)}</dl>\n{more}{shown}</section>\n")
