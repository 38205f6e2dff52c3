"""Prints the contract as HTML pages, one for each tag of the document; `make docs` writes them into one file.

Each page stands after a line with its path. Style and script are left empty: the server puts them in, and names them
in the page's policy.
"""

import re

from page_parts import DOCUMENT, entry, escaped, example, inline, inner, kind, members, name_of, objects, paragraphs, resolved, schema_section

METHODS = ("get", "post", "put", "delete")
INFO = DOCUMENT["info"]


def address(tag):
    return "/api/" + tag


def title(tag):
    return tag.upper() if tag == "kpi" else tag.capitalize()


def operations(tag):
    """The operations under a tag: path, method and what the document says of them."""
    for path, methods in DOCUMENT["paths"].items():
        for method in METHODS:
            if method in methods and methods[method]["tags"] == [tag]:
                yield path, method.upper(), methods[method]


def is_success(status):
    return status[0] in "23" and status != "304"


def fields(parameters):
    """What goes along in the path, the query or a header."""
    return "".join(
        entry(one["name"], one.get("required"), f"{one['in']}, {kind(one['schema'])}", one.get("description", ""), "optional")
        for one in parameters
    )


def trial(path, parameters):
    """The form by which a question is asked."""
    inputs = ""
    for one in parameters:
        # The page shows JSON; the rows of CSV are chosen by programs.
        if one["in"] in ("query", "path") and one["name"] != "by":
            is_needed = " required" if one.get("required") else ""
            value = one["example"] if is_needed and one["in"] == "query" else ""
            inputs += (f'<label>{one["name"]}<input name="{one["name"]}" autocapitalize="none" autocomplete="off" spellcheck="false"'
                       f' placeholder="{one["example"]}" value="{value}"{is_needed}></label>\n')
    return (f'<form data-path="{path}" aria-label="Try {path}">\n'
            f'<div class="fields">\n{inputs}</div>\n<button type="submit">Try it</button>\n'
            '<div class="answer" hidden>\n<p role="status"></p>\n<pre tabindex="0"></pre>\n'
            '<button type="button" class="second">Copy</button>\n</div>\n</form>\n')


def answers(responses):
    """Of what succeeds everything, of everything else the words, which fold away."""
    good, other = "", ""
    for status, response in responses.items():
        name, response = name_of(response), resolved(response)
        if is_success(status):
            good += f"<h3>{status}: {inline(response['description'])}</h3>\n"
            for media_type, content in response.get("content", {}).items():
                own = inner(content["schema"])
                words = "" if own or not name_of(content["schema"]) else ": " + kind(content["schema"])
                good += f"<p><code>{media_type}</code>{words}</p>\n" + (f"<dl>\n{members(own)}</dl>\n" if own else "")
                good += example(content["example"]) if (own or "csv" in media_type) and "example" in content else ""
            continue
        codes = dict.fromkeys(
            resolved(one)["value"]["code"]
            for content in response.get("content", {}).values() for one in content.get("examples", {}).values()
        )
        words = " ".join(f"<code>{code}</code>" for code in codes)
        other += f'<dt><a href="/api/errors#s{status}">{status}</a> {words}</dt>\n<dd>{inline(response["description"])}</dd>\n'
    statuses = ", ".join(status for status in responses if not is_success(status))
    return f"{good}<details><summary>Other answers: {statuses}</summary>\n<dl>\n{other}</dl>\n</details>\n"


def operation(path, method, content):
    parameters = [resolved(one) for one in content.get("parameters", [])]
    lines = [f'<section id="{content["operationId"]}">\n<h2><code>{method} {escaped(path)}</code></h2>\n',
             f"<p><strong>{inline(content['summary'])}.</strong></p>\n", paragraphs(content.get("description"))]
    if parameters:
        lines.append(f"<h3>Parameters</h3>\n<dl>\n{fields(parameters)}</dl>\n")
    for body in content.get("requestBody", {}).get("content", {}).values():
        lines.append(f"<h3>Fields of the form</h3>\n<dl>\n{members(resolved(body['schema']), absent='optional')}</dl>\n")
    is_question = method == "GET" and any("application/json" in resolved(one).get("content", {}) for one in content["responses"].values())
    lines += [trial(path, parameters) if is_question else "", answers(content["responses"])]
    return "".join(lines) + "</section>\n"


# Pages


def subject(tag):
    shown = list(operations(tag["name"]))
    contents = [
        content for _, _, one in shown for status, response in one["responses"].items() if is_success(status)
        for content in resolved(response).get("content", {}).values()
    ]
    names = objects(contents)
    parts = "".join(schema_section(name) for name in names)
    return (f"<p>{inline(tag['description'])}</p>\n" + "".join(operation(*one) for one in shown)
            + (f"<h2>What answers are made of</h2>\n{parts}" if names else ""))


def overview():
    """What it is, how to sign in, the questions, and what holds for all of them."""
    lines = []
    for part in INFO["description"].strip().split("\n## "):
        heading, _, text = part.partition("\n\n") if lines else ("", "", part)
        lines.append((f"<h2>{heading}</h2>\n" if heading else "") + paragraphs(text))
        if heading == "Errors":
            lines[-1] += '<p><a href="/api/errors">All errors</a></p>\n'
    questions = "<h2>Questions</h2>\n"
    for tag in DOCUMENT["tags"]:
        asked = "".join(
            f'<dt><a href="{address(tag["name"])}#{one["operationId"]}">{method} {escaped(path)}</a></dt>\n<dd>{inline(one["summary"])}.</dd>\n'
            for path, method, one in operations(tag["name"])
        )
        questions += f'<h3>{title(tag["name"])}</h3>\n<dl>\n{asked}</dl>\n'
    # After what it is, and how to sign in.
    return "".join([*lines[:2], questions, *lines[2:]])


def errors():
    """Every problem that an answer can be, by its status."""
    found = {}
    for problem in DOCUMENT["components"]["examples"].values():
        problem = problem["value"]
        details = found.setdefault((problem["status"], problem["title"]), {}).setdefault(problem["code"], [])
        details += [problem["detail"]] if problem["detail"] not in details else []
    lines = [paragraphs(re.search(r"## Errors\n\n(.*?)\n\n##", INFO["description"], re.S)[1])]
    for (status, words), codes in sorted(found.items()):
        shown = "".join(
            f"<dt><code>{code}</code></dt>\n" + "".join(f"<dd>{inline(detail)}</dd>\n" for detail in details)
            for code, details in codes.items()
        )
        lines.append(f'<section id="s{status}">\n<h2>{status} {words}</h2>\n<dl>\n{shown}</dl>\n</section>\n')
    return "".join(lines) + "<h2>What they are made of</h2>\n" + schema_section("Problem")


def page(path, heading, content):
    pages = [("/api", "Overview"), *((address(tag["name"]), title(tag["name"])) for tag in DOCUMENT["tags"]), ("/api/errors", "Errors")]
    links = "".join(f'<a href="{target}">{name}</a>\n' for target, name in pages)
    links = links.replace(f'"{path}"', f'"{path}" aria-current="page"')
    return f"""<!-- page {path} -->
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{heading} · API · {escaped(INFO["title"])}</title>
<style></style>
</head>
<body class="contract">
<header>
<p>{escaped(INFO["title"])} · API {escaped(INFO["version"])}</p>
<h1>{heading}</h1>
<nav aria-label="Site"><a href="/">Dashboard</a> <a href="/api">API</a> <a href="/openapi.yaml">openapi.yaml</a> <a href="/account">Account</a></nav>
</header>
<section class="session" aria-label="Session"><p id="state" role="status">You are not signed in.</p>
<button id="sign-in" type="button">Sign in</button>
<button id="sign-out" type="button" class="second" hidden>Log out</button></section>
<div class="columns">
<main>
{content}</main>
<nav aria-label="Pages">
{links}</nav>
</div>
<script></script>
</body>
</html>
"""


def main():
    print(page("/api", "API", overview()), end="")
    for tag in DOCUMENT["tags"]:
        print(page(address(tag["name"]), title(tag["name"]), subject(tag)), end="")
    print(page("/api/errors", "Errors", errors()), end="")


if __name__ == "__main__":
    main()
