"""The server's pages as people see and hear them: axe-core, sizes of screens and texts, targets, colours, order.

    python test_accessibility.py MART FOLDER
"""

import json
import re
import sys
import unittest

from axe_playwright_python.sync_playwright import Axe

from browser import Browser, Mailer, local_server
from served import PASSWORD, account

MART, FOLDER = None, None
# The rules of WCAG 2.2, levels A and AA, as axe-core names them.
RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
WIDTHS = [320, 360, 375, 390, 412, 600, 768, 960, 1366]
# docs/PAGE_DESIGN.md names them; a browser writes the clear ones so.
COLOURS = {
    "rgb(0, 51, 102)", "rgb(0, 85, 164)", "rgb(245, 245, 245)", "rgb(255, 255, 255)", "rgb(217, 43, 43)",
    "rgb(16, 124, 16)", "rgb(198, 198, 198)", "rgb(0, 0, 0)", "rgba(0, 0, 0, 0)",
}

# Edges by which a field, a second button or a notice is seen, and what lies behind them.
EDGES = """() => [...document.querySelectorAll('input, .second, .notice')].filter(each => each.checkVisibility()).map(each => {
    let behind = each.parentElement;
    while (behind.parentElement && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
    return [each.outerHTML, getComputedStyle(each).borderLeftColor, getComputedStyle(behind).backgroundColor];
})"""

LOOK = """() => [...document.querySelectorAll('body, body *')].filter(each => each.checkVisibility()).map(each => {
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    return {
        name: each.tagName, type: each.type, inText: each.parentElement && ['P', 'LI', 'TD', 'SMALL'].includes(each.parentElement.tagName),
        top: box.top, width: box.width, height: box.height,
        colours: [style.color, style.backgroundColor, style.borderTopWidth === '0px' ? style.color : style.borderTopColor],
    };
})"""


def contrast(one, other):
    """The contrast of two colours as a browser writes them, by WCAG 2.2."""
    def light(colour):
        parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    dark, bright = sorted([light(one), light(other)])
    return (bright + 0.05) / (dark + 0.05)


class Accessibility(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in ["reader", "keyholder"]:
            account(MART, name, "--role", "viewer", "--email", name + "@agency.test")
        cls.mailer = Mailer(FOLDER)
        cls.server = local_server(MART, cls.mailer).__enter__()
        # Their page then shows where they are signed in.
        cls.server.sign_in("keyholder")
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.server.stop()

    def pages(self):
        """Every page that people are shown, by what it is, in the states that differ: a name, and the tab that shows it."""
        page = self.browser.page(self.server)
        page.to_sign_in()
        yield "sign-in", page
        page.tab.fill("#username", "reader")
        page.tab.fill("#password", "not the password of anybody")
        page.tab.click("button:text-is('Sign in')")
        page.tab.wait_for_selector(".notice")
        yield "sign-in, refused", page
        page.open("/forgotten")
        yield "forgotten", page
        page.tab.fill("#username", "reader")
        page.tab.click("text=Send the e-mail")
        page.tab.wait_for_selector("text=Check your e-mail")
        yield "e-mail sent", page
        page.open("/new-password?token=none")
        yield "link closed", page
        page.open("/authorize?client_id=none")
        yield "link of nobody", page
        page.tab.goto(re.search(r"^http\S+$", self.mailer.email("reader@agency.test", self.server), re.M)[0])
        yield "new password", page
        page.tab.fill("#password", "passwordpassword")
        page.tab.click("text=Set password")
        page.tab.wait_for_selector(".notice")
        yield "new password, refused", page
        page.open("/account")
        yield "account, sign-in", page
        page.to_account("keyholder")
        yield "account", page
        page.tab.click("text=Add a passkey")
        page.tab.wait_for_selector("text=The passkey is added.")
        yield "account, one passkey", page
        page.open("/api")
        for path in page.tab.eval_on_selector_all("main ~ nav a", "all => all.map(each => each.getAttribute('href'))"):
            page.open(path)
            yield "contract, " + path, page
        self.sign_in_at("/api/kpi", page.tab)
        page.tab.click("text=Try it")
        page.tab.wait_for_selector(".answer:not([hidden])")
        page.tab.click("text=Other answers")
        yield "contract, an answer", page

    def sign_in_at(self, path, tab):
        """Signs in from one of the contract's pages, and is back there afterwards."""
        tab.goto(self.server.address + path)
        tab.click("#sign-in")
        tab.fill("#username", "reader")
        tab.fill("#password", PASSWORD)
        tab.click("button:text-is('Sign in')")
        tab.wait_for_selector("text=You are signed in as reader (viewer).")
        self.assertEqual(tab.url, self.server.address + path)

    def test_every_page(self):
        axe, seen, passwords, edges = Axe(), 0, 0, 0
        for name, page in self.pages():
            seen += 1
            with self.subTest(page=name):
                for colours in ["dark", "light"]:
                    page.tab.emulate_media(color_scheme=colours)
                    found = axe.run(page.tab, options=RULES).response["violations"]
                    faults = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]
                    self.assertEqual([], faults, colours)
                    self.shows(page.tab.evaluate(LOOK))
                    edges += self.has_edges_that_are_seen(page.tab, colours)
                self.has_a_name_a_language_and_one_heading(page.tab)
                self.fits_every_width(page.tab)
                self.can_be_walked_by_keys(page.tab)
                passwords += self.lets_passwords_be_filled_in(page.tab)
                # A browser complains of every page that says no.
                self.assertEqual([], [fault for fault in page.faults if not re.search("status of 40[03]", fault)])
        self.assertEqual(seen, 24)
        self.assertGreater(passwords, 3)
        self.assertGreater(edges, 40)

    def has_edges_that_are_seen(self, tab, colours):
        """What is filled in or pressed, and what is said of it, stands out from the page; how many edges there are."""
        found = tab.evaluate(EDGES)
        for html, edge, behind in found:
            self.assertGreaterEqual(contrast(edge, behind), 3, (colours, html))
        return len(found)

    def lets_passwords_be_filled_in(self, tab):
        """Managers find what a password is for, and pasting is not forbidden; how many passwords are asked for."""
        found = tab.eval_on_selector_all("input[type=password]", """all => all.map(each =>
            [each.autocomplete, each.dispatchEvent(new ClipboardEvent("paste", {bubbles: true, cancelable: true}))])""")
        for purpose, may_paste in found:
            self.assertIn(purpose, ["current-password", "new-password"])
            self.assertTrue(may_paste)
        return len(found)

    def test_a_column_has_one_name_for_those_who_hear_it_and_for_those_who_see_it(self):
        page = self.browser.page(self.server, width=360)
        page.to_account("keyholder")
        page.tab.click("text=Add a passkey")
        page.tab.wait_for_selector("text=The passkey is added.")
        self.assertEqual(len(page.tab.query_selector_all("table")), 2)
        heard = page.tab.eval_on_selector_all("th", "all => all.map(each => each.textContent)")
        seen = page.tab.eval_on_selector_all("tbody tr:first-child td[data-name]", "all => all.map(each => each.dataset.name)")
        self.assertEqual(heard, seen)

    def test_signing_out_says_what_came_of_it(self):
        page = self.browser.page(self.server)
        self.sign_in_at("/api/kpi", page.tab)
        # Who is signed in is signed in on the other pages, too, until they sign out on one of them.
        other = page.tab.context.new_page()
        other.goto(self.server.address + "/api")
        other.wait_for_selector("text=You are signed in as reader (viewer).")
        page.tab.fill("[name=region]", "nowhere")
        page.tab.click("text=Try it")
        page.tab.wait_for_selector("text=HTTP 400 · GET /kpi?region=nowhere")
        page.tab.fill("[name=region]", "")
        page.tab.press("[name=region]", "Enter")
        page.tab.wait_for_selector("text=HTTP 200 · GET /kpi")
        self.assertIn('\n  "generation": ', page.tab.text_content("pre"))
        for answer, word in [(lambda route: route.abort(), "(no answer)"), (lambda route: route.fulfill(status=500), "(500)")]:
            page.tab.route("**/revoke", answer)
            page.tab.click("#sign-out")
            page.tab.wait_for_selector(f"text=You are still signed in: signing out did not work {word}. Try again.")
            self.assertTrue(page.tab.is_visible("#sign-out"))
            page.tab.unroute("**/revoke")
        page.tab.click("#sign-out")
        for tab in [page.tab, other]:
            tab.wait_for_selector("text=You are logged out.")
            self.assertFalse(tab.is_visible("#sign-out"))
        # What was answered is in the page no more, not even where nobody sees it.
        self.assertEqual(page.tab.text_content(".answer pre"), "")
        # The next question is nobody's.
        page.tab.click("text=Try it")
        page.tab.wait_for_selector("text=HTTP 401 · GET /kpi")

    def has_a_name_a_language_and_one_heading(self, tab):
        self.assertIn("VA Ambulance Trip Analysis", tab.title())
        self.assertEqual(tab.get_attribute("html", "lang"), "en")
        self.assertEqual(len(tab.query_selector_all("h1")), 1)

    def fits_every_width(self, tab):
        """Nothing is cut off or scrolls sideways, also with letters of twice the size."""
        for width in WIDTHS:
            tab.set_viewport_size({"width": width, "height": 844})
            for size in ["", "200%"]:
                tab.evaluate("size => { document.documentElement.style.fontSize = size }", size)
                needed = tab.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(needed, width, f"{width} px, letters {size or '100%'}")
        tab.evaluate("document.documentElement.style.fontSize = ''")
        tab.set_viewport_size({"width": 390, "height": 844})

    def shows(self, elements):
        """Colours of the palette alone; what is pressed is 48 px high or more, unless it stands in a text."""
        for each in elements:
            self.assertLessEqual(set(each["colours"]), COLOURS, each)
            if each["name"] in ("BUTTON", "INPUT", "A", "SELECT") and not (each["name"] == "A" and each["inText"]):
                self.assertGreaterEqual(each["height"], 48, each)
                self.assertGreaterEqual(each["width"], 48, each)

    def can_be_walked_by_keys(self, tab):
        """The tabulator leads through everything that is pressed, from the top to the bottom, and shows where it is."""
        ways = tab.evaluate("""() => {
            const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')];
            return all.filter(each => each.checkVisibility() && each.type !== 'hidden' && !each.disabled).length;
        }""")
        tab.evaluate("document.activeElement.blur()")
        tops = []
        for _ in range(ways):
            tab.keyboard.press("Tab")
            place = tab.evaluate("""() => {
                const one = document.activeElement, style = getComputedStyle(one);
                return {name: one.tagName, top: one.getBoundingClientRect().top + scrollY, outline: style.outlineWidth, kind: style.outlineStyle};
            }""")
            if place["name"] == "BODY":
                break
            self.assertEqual((place["outline"], place["kind"]), ("3px", "solid"), place)
            tops.append(place["top"])
        self.assertEqual(tops, sorted(tops), json.dumps(tops))
        self.assertGreaterEqual(len(tops), min(ways, 1))


if __name__ == "__main__":
    FOLDER, MART = sys.argv.pop(), sys.argv.pop()
    unittest.main()
