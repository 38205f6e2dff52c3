"""Prints the contract as an HTML page, in the order of the document; `make docs` writes it."""

import html
import json
import os
import re

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "../../Sources/TripServer")
METHODS = ("get", "post", "put", "delete")


def read(path):
    with open(os.path.join(SOURCES, path), encoding="utf-8") as file:
        return file.read()


DOCUMENT = yaml.safe_load(read("API/health-dashboard.yaml"))


def inline(text):
    """Words with **weight**, *stress*, and `code`."""
    text = html.escape(" ".join(str(text).split()), quote=False)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


def paragraphs(text):
    return "".join(f"<p>{inline(part)}</p>\n" for part in (text or "").strip().split("\n\n") if part)


def resolved(node):
    while "$ref" in node:
        target = DOCUMENT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = target
    return node


def kind(schema):
    """A schema in a few words; named ones as links."""
    if "$ref" in schema:
        name = schema["$ref"].split("/")[-1]
        return f'<a href="#{name}">{name}</a>'
    if schema.get("type") == "array":
        return "list of " + kind(schema["items"])
    if "enum" in schema:
        words = ", ".join(f"<code>{html.escape(str(word))}</code>" for word in schema["enum"] if word is not None)
    else:
        words = html.escape(schema.get("format") or schema.get("type", "any"))
    bounds = [f"{schema[key]}" for key in ("minimum", "maximum") if key in schema]
    words += f" ({' to '.join(bounds)})" if bounds else ""
    return words + (" or null" if schema.get("nullable") else "")


def table(head, rows):
    if not rows:
        return ""
    # Narrow screens show cells below each other, which takes away what a table is to those who hear it; its roles say it again.
    def line(row, tag, role):
        return '<tr role="row">' + "".join(f'<{tag} role="{role}">{cell}</{tag}>' for cell in row) + "</tr>\n"

    lines = "".join(line(row, "td", "cell") for row in rows)
    return (f'<table role="table">\n<thead role="rowgroup">{line(head, "th", "columnheader")}</thead>\n'
            f'<tbody role="rowgroup">\n{lines}</tbody>\n</table>\n')


def properties(schema):
    """The members of an object, and whether each is always there."""
    required = set(schema.get("required", []))
    for name, value in schema.get("properties", {}).items():
        yield name, value, name in required


def fields(schema):
    rows = [
        (f"<code>{html.escape(name)}</code>" + ("" if required else " <small>may be missing</small>"),
         kind(value), inline(resolved(value).get("description", "")))
        for name, value, required in properties(schema)
    ]
    return table(("Member", "Kind", "Meaning"), rows)


def operation(path, method, content):
    lines = [f'<section id="{content["operationId"]}">\n<h3><code>{method.upper()} {html.escape(path)}</code></h3>\n',
             f"<p>{inline(content['summary'])}.</p>\n", paragraphs(content.get("description"))]
    rows = []
    for parameter in map(resolved, content.get("parameters", [])):
        name = f"<code>{html.escape(parameter['name'])}</code>"
        rows.append((name + ("" if parameter.get("required") else " <small>optional</small>"),
                     kind(resolved(parameter["schema"])), inline(parameter.get("description", ""))))
    lines.append(table(("Parameter", "Kind", "Meaning"), rows))
    for body in content.get("requestBody", {}).get("content", {}).values():
        lines.append(fields(resolved(body["schema"])))
    rows = []
    for status, response in content["responses"].items():
        response = resolved(response)
        kinds = [kind(body["schema"]) for body in response.get("content", {}).values()]
        rows.append((status, inline(response["description"]), " or ".join(kinds)))
    lines.append(table(("Status", "Meaning", "Body"), rows))
    return "".join(lines) + "</section>\n"


def schema(name, content):
    example = content.get("example")
    shown = f"<pre>{html.escape(json.dumps(example, indent=2))}</pre>\n" if example is not None else ""
    members = fields(content) or f"<p>{kind(content)}</p>\n"
    return f'<section id="{name}">\n<h3>{name}</h3>\n{paragraphs(content.get("description"))}{members}{shown}</section>\n'


def main():
    info = DOCUMENT["info"]
    operations = {tag["name"]: [] for tag in DOCUMENT["tags"]}
    for path, methods in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in methods:
                operations[methods[method]["tags"][0]].append(operation(path, method, methods[method]))
    chapters = "".join(
        f'<h2 id="{tag["name"]}">{tag["name"].capitalize()}</h2>\n{paragraphs(tag["description"])}{"".join(operations[tag["name"]])}'
        for tag in DOCUMENT["tags"]
    )
    schemas = "".join(schema(*entry) for entry in DOCUMENT["components"]["schemas"].items())
    links = "".join(f'<a href="#{tag["name"]}">{tag["name"].capitalize()}</a> ' for tag in DOCUMENT["tags"])
    paths = "".join(
        f"<option>{path}</option>" for path, methods in DOCUMENT["paths"].items()
        if "get" in methods and "sign-in" not in methods["get"]["tags"] and "{" not in path
    )
    print(f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(info["title"])} · API</title>
<style>{read("SignIn/Pages/page.css")}</style>
</head>
<body class="wide">
<main>
<header><p>API {html.escape(info["version"])}</p><h1>{html.escape(info["title"])}</h1></header>
<section id="try">
<h2>Try it</h2>
<p id="state" role="status">Sign in to ask.</p>
<button id="sign-in" type="button">Sign in</button>
<form id="ask" hidden>
<label for="path">Path</label>
<select id="path">{paths}</select>
<label for="query">Query</label>
<input id="query" autocapitalize="none" spellcheck="false" placeholder="month=2026-10">
<button type="submit">Ask</button>
<button id="sign-out" type="button">Sign out</button>
</form>
<pre id="answer" tabindex="0" hidden></pre>
</section>
<nav>{links}<a href="#schemas">Schemas</a> <a href="openapi.yaml">openapi.yaml</a></nav>
{paragraphs(info["description"])}{chapters}<h2 id="schemas">Schemas</h2>
{schemas}</main>
<script>{read("SignIn/Pages/try.js")}</script>
</body>
</html>""")


if __name__ == "__main__":
    main()
