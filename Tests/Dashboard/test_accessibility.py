"""The dashboard for people who see, hear or press differently: axe-core, sizes, targets, colours, order, motion."""

import json
import re

from axe_playwright_python.sync_playwright import Axe

from application import HOME, READY, Case, flat, run, still

RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
}
WIDTHS = [320, 360, 412, 600, 768, 960, 1366]
SCREENS = [
    "/app/dashboard?month=2026-10",
    "/app/dashboard?month=2026-05&region=02&trip_type=RW",
    "/app/why?month=2026-05",
    "/app/trips?month=2026-05",
    "/app/settings",
    "/app/runs",
    "/app/about",
    "/app/privacy",
    "/app/nowhere",
]
# Sets the size of letters, as a reader would.
RESIZE = """size => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:root { font-size: ${size} }`);
    document.adoptedStyleSheets = [sheet];
}"""
# What does not fit into its own box.
CUT = """() => [...document.querySelectorAll('main *')].filter(each => each.checkVisibility()
    && !each.closest('.unseen, svg, .scroll, .skeleton') && !each.matches('select') && each.clientWidth > 0
    && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline').map(each => each.tagName + '.' + each.className)"""
# What can be pressed, and whether it was reached in the order of the document.
PRESSABLE = """() => [...document.querySelectorAll('a[href], button, select, input, [tabindex="0"]')]
    .filter(each => each.checkVisibility() && !each.disabled).length"""
FOLLOWS = """(each, index, all) => index === 0 || all[index - 1].compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING"""
# Each element's box, colours and size of letters, where it is seen.
LOOK = """() => [...document.querySelectorAll('body, body *')].filter(
        each => each.checkVisibility() && !each.closest('.unseen, .sprite')).map(each => {
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    return {
        name: each.tagName.toLowerCase() + '.' + each.getAttribute('class'), width: box.width, height: box.height,
        isPressed: each.matches('button, a[href], select, input, summary') && !each.matches('p a, .skip'),
        label: each.closest('label.choice')?.getBoundingClientRect().height ?? 0,
        colours: [style.color, style.backgroundColor, ...(style.borderTopWidth === '0px' ? [] : [style.borderTopColor]),
                  ...(each.closest('svg') ? [style.fill, style.stroke].filter(colour => colour.startsWith('rgb')) : [])],
        letters: style.fontSize, weight: style.fontWeight,
    };
})"""


def contrast(one, other):
    """How a browser's two colours stand to each other, as WCAG has it."""

    def light(colour):
        parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted([light(one), light(other)])
    return (high + 0.05) / (low + 0.05)


class Accessibility(Case):
    # Analysts see every screen.
    account_name = "demo-analyst"

    def check(self, tab, what):
        # What is still fading in has another contrast than what it becomes.
        tab.wait_for_function("() => document.getAnimations().every(each => each.animationName !== 'fade')")
        answer = Axe().run(tab, options=RULES)
        found = [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in answer.response["violations"]]
        self.assertEqual(found, [], what)

    def steps(self, tab):
        """The states of the dashboard that cover it, one after the other."""
        for opened in [".filter-button", ".number >> nth=1"]:
            tab.click(opened)
            still(tab)
            yield opened
            tab.keyboard.press("Escape")
            tab.wait_for_selector("dialog", state="detached")
        tab.locator(".chart-card").first.get_by_role("button", name=re.compile("Table")).click()
        yield "table"

    def test_axe_finds_nothing_on_any_screen(self):
        """D91, D103, D104, C5: every screen and what opens on it, in light and in dark."""
        for colours in ["light", "dark"]:
            for path in SCREENS:
                tab = self.open(path)
                tab.emulate_media(color_scheme=colours, reduced_motion="reduce")
                still(tab)
                self.check(tab, (colours, path))
            tab = self.open()
            tab.emulate_media(color_scheme=colours, reduced_motion="reduce")
            tab.wait_for_selector(".basis")
            for step in self.steps(tab):
                self.check(tab, (colours, step))

    def test_axe_finds_nothing_around_a_trip_and_a_sign_in(self):
        """D91: a trip, the reason for showing a field, the re-authentication, the idle bar, the sign-in, a failure."""
        account = self.another("demo", reduced_motion="reduce")
        self.addCleanup(account.close)
        tab = account.tab()
        tab.clock.install()
        tab.goto(account.address + "/app/trips?month=2026-05")
        account.fill(tab)
        tab.locator(".row").first.click()
        tab.wait_for_selector(".secret")
        self.check(tab, "trip")
        tab.get_by_role("button", name="Show patient ID").click()
        self.check(tab, "reason")
        tab.keyboard.press("Escape")
        tab.clock.run_for(10 * 60_000 + 2_000)
        tab.wait_for_selector(".idle")
        self.check(tab, "idle")
        tab.click("text=Continue")
        tab.wait_for_selector("text=Re-authenticate")
        self.check(tab, "re-authentication")
        tab.click("text=Log out")
        tab.wait_for_selector("text=You are logged out")
        self.check(tab, "signed out")

    def test_no_width_and_no_size_of_letters_scrolls_sideways(self):
        """D36, D38, D98: 320 to 1366 px, also with letters of twice the size."""
        for path in SCREENS:
            tab = self.open(path)
            for size in ["100%", "200%"]:
                tab.evaluate(
                    RESIZE,
                    size,
                )
                for width in WIDTHS:
                    tab.set_viewport_size({"width": width, "height": 812})
                    still(tab)
                    asked = tab.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(asked, width, (path, size, width))
                    cut = tab.evaluate(CUT)
                    self.assertEqual(cut, [], (path, size, width))

    def test_targets_colours_and_letters_are_those_of_the_tokens(self):
        """D92, D96, D97, D106: 48 px and more; the colours of the tokens; five kinds of letters."""
        with open(HOME + "/design-tokens.json", encoding="utf-8") as file:
            tokens = json.load(file)
        named = {self.colour(each["value"]) for each in tokens["color"].values()} | {"rgba(0, 0, 0, 0)"}
        for colours in ["light", "dark"]:
            for path in SCREENS:
                tab = self.open(path)
                tab.emulate_media(color_scheme=colours)
                for each in tab.evaluate(LOOK):
                    self.assertLessEqual(set(each["colours"]), named, (path, each["name"]))
                    self.assertIn(each["letters"], {"12px", "16px", "20px", "24px"}, (path, each["name"]))
                    self.assertIn(each["weight"], {"400", "500", "600", "700"}, (path, each["name"]))
                    if each["isPressed"]:
                        self.assertGreaterEqual(max(each["height"], each["label"]), 47.9, (path, each["name"]))
                        self.assertGreaterEqual(max(each["width"], each["label"]), 47.9, (path, each["name"]))

    def test_lines_that_carry_meaning_are_seen_in_the_dark(self):
        """WCAG 1.4.11: 3 : 1 against what lies behind them; the line has it on its band as well."""
        tab = self.open("/app/dashboard?month=2026-10&region=08")
        tab.wait_for_selector(".basis")
        tab.emulate_media(color_scheme="dark")
        look = "(each, name) => getComputedStyle(each)[name]"
        card = tab.locator(".chart-card").first
        behind = card.evaluate(look, "backgroundColor")
        colours = {
            name: card.locator(name).first.evaluate(look, kind)
            for name, kind in [
                ("line.grid-line", "stroke"), (".band", "fill"), (".line-behind", "stroke"), (".line:not(.line-behind)", "stroke"),
                (".icon-button[aria-disabled=true]", "color"),
            ]
        }
        for name, colour in colours.items():
            self.assertGreaterEqual(contrast(colour, behind), 3, (name, colour))
        self.assertGreaterEqual(contrast(colours[".line:not(.line-behind)"], colours[".band"]), 3)
        # No line goes through the word that names one.
        self.assertEqual(card.evaluate("""card => {
            const box = card.querySelector('.nation-text').getBBox();
            return [...card.querySelectorAll('polyline.line')].flatMap(line => {
                const places = Array.from({length: 2000}, (_, part) => line.getPointAtLength(line.getTotalLength() * part / 1999));
                return places.filter(({x, y}) => x > box.x && x < box.x + box.width && y > box.y + 3 && y < box.y + box.height - 3);
            }).length;
        }"""), 0)

    @staticmethod
    def colour(value):
        if value.startswith("rgba"):
            return re.sub(r",\s*", ", ", value)
        return "rgb({}, {}, {})".format(*[int(value[at : at + 2], 16) for at in (1, 3, 5)])

    def test_the_keyboard_reaches_everything_in_the_order_it_is_read(self):
        """D103, D105: header, content, tabs; all that can be pressed, once, in the order of the document, with a ring."""
        for path in ["/app/dashboard?month=2026-05", "/app/settings", "/app/trips?month=2026-05"]:
            tab = self.open(path)
            # Who is signed in, and what can be chosen, is known a moment later.
            tab.wait_for_load_state("networkidle")
            expected = tab.evaluate(PRESSABLE)
            tab.evaluate("() => { document.activeElement.blur(); window.reached = []; }")
            for _ in range(expected):
                tab.keyboard.press("Tab")
                tab.evaluate("() => window.reached.push(document.activeElement)")
            orders = tab.evaluate(f"() => window.reached.every({FOLLOWS})")
            rings = tab.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
            count = tab.evaluate("() => new Set(window.reached).size")
            self.assertTrue(orders, path)
            self.assertEqual(count, expected, path)
            self.assertEqual(rings, "3px", path)

    def test_a_journey_by_keyboard_alone(self):
        """D105, issue, item 7: filter, apply, read a month, open a number, close it: the focus comes back where it was."""
        tab = self.open("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        tab.locator(".filter-button").focus()
        tab.keyboard.press("Enter")
        tab.wait_for_selector("dialog[open]")
        tab.keyboard.press("Tab")
        self.assertEqual(tab.evaluate("document.activeElement.getAttribute('aria-label')"), "Close")
        tab.keyboard.press("Tab")
        tab.keyboard.press("a")
        for _ in range(4):
            tab.keyboard.press("Tab")
        self.assertEqual(tab.evaluate("document.activeElement.textContent"), "Apply")
        tab.keyboard.press("Escape")
        tab.wait_for_selector("dialog", state="detached")
        self.assertTrue(tab.evaluate("document.activeElement.matches('.filter-button')"))
        tab.locator(".number").first.focus()
        tab.keyboard.press("Enter")
        tab.wait_for_selector("dialog[open]")
        tab.keyboard.press("Escape")
        tab.wait_for_selector("dialog", state="detached")
        self.assertTrue(tab.evaluate("document.activeElement.matches('.number')"))

    def test_a_screen_that_opens_is_named_and_read_from_its_heading(self):
        """D105, R35: the title of the window, the focus on the one heading of first rank, the tab as the current one."""
        tab = self.open("/app/dashboard?month=2026-05")
        for name in ["Settings", "About", "Dashboard"]:
            tab.click(f"nav >> text={name}")
            tab.wait_for_function(
                "name => document.querySelector('nav [aria-current=page]')?.textContent === name", arg=name
            )
            tab.wait_for_selector(READY)
            self.assertEqual(tab.locator("h1").count(), 1)
            self.assertEqual(tab.evaluate("document.activeElement.tagName"), "H1", name)
            self.assertIn(flat(tab.inner_text("h1")) if name != "Dashboard" else "Dashboard", tab.title())

    def test_reduced_motion_leaves_a_fade(self):
        """D101, D102: nothing moves or grows; shadows stay."""
        tab = self.open()
        tab.emulate_media(reduced_motion="reduce")
        tab.wait_for_selector(".basis")
        tab.click(".filter-button")
        names = tab.evaluate(
            "() => document.getAnimations().map(each => each.animationName ?? each.transitionProperty)"
        )
        self.assertLessEqual(set(names), {"fade", "opacity"})
        self.assertNotEqual(tab.evaluate("getComputedStyle(document.querySelector('dialog')).boxShadow"), "none")

    def test_spanish_is_spanish_everywhere(self):
        """R27, D103: words, numbers and dates; the language of the document."""
        account = self.another("demo", locale="es-US")
        self.addCleanup(account.close)
        tab = account.sign_in("/app/dashboard?month=2026-05")
        tab.wait_for_selector(".basis")
        self.assertEqual(tab.evaluate("document.documentElement.lang"), "es")
        self.assertRegex(flat(tab.inner_text(".sentence")), r"^Mayo de 2026: \d+\.\d% con medios propios")
        shown = tab.inner_text("body")
        for word in ["Filter", "Settings", "Regions", "undetermined", "Published"]:
            self.assertNotIn(word, shown)


if __name__ == "__main__":
    run()
