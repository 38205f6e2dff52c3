"""An edit from its plan to its generation: made by `triptych plan`, published on the Runs screen,
carried out by the worker."""

from axe_playwright_python.sync_playwright import Axe

from application import READY, ROOT, flat, run
from published import MartCase
from test_accessibility import RULES


class Reclassification(MartCase):
    accounts = {"analyst": ["analyst"]}
    account_name = "analyst"

    @staticmethod
    def serving(mart):
        return ["--with-worker", ROOT + "/pipelines/ambulance", "--reference", mart.exports + "/reference"]

    def check(self, tab, what):
        """No violation of a rule of axe-core, once nothing moves any more."""
        tab.evaluate("() => Promise.allSettled(document.getAnimations().map(each => each.finished))")
        found = Axe().run(tab, options=RULES).response["violations"]
        self.assertEqual([(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found], [], what)

    def test_a_plan_is_published_and_its_numbers_are_those_it_showed(self):
        """C8, D91, R14, R23, issue, item 1: a plan for vehicles that are a vendor's, its effects,
        the question, the outcome."""

        def sell(row):
            row["owner"] = "VENDOR" if row["owner"] == "VA" and row["station"] < "550" else row["owner"]

        tab = self.open("/app/dashboard?month=2026-08")
        tab.wait_for_selector(".basis")
        before = self.json(tab, "/kpi?month=2026-08")
        self.mart.edit("reference/vehicles.csv", sell)
        name = self.mart.plan()
        tab.click("nav >> text=Settings")
        tab.click("main >> text=Runs")
        tab.wait_for_selector("#plan-" + name)
        [plan] = self.json(tab, "/plans")["plans"]
        self.assertGreater(plan["trips_changed"], 50)
        self.assertNotEqual(plan["in_house_pct_now"], plan["in_house_pct_planned"])
        card = flat(tab.locator(f".plan:has(#plan-{name})").inner_text())
        for part in [
            f"{plan['trips_changed']:,}",
            f"{plan['in_house_pct_now']:.2f}% → {plan['in_house_pct_planned']:.2f}%",
            f"${plan['contracted_cost_cents_planned'] / 100:,.2f}",
        ]:
            self.assertIn(part, card)
        self.check(tab, "a plan")
        tab.click("#plan-" + name)
        asked = tab.locator("dialog[role=alertdialog]")
        asked.wait_for()
        self.assertIn(f"{plan['trips_changed']:,}", flat(asked.inner_text()))
        self.check(tab, "the question")
        asked.locator(".choices button").last.click()
        tab.wait_for_selector(".toast")
        tab.wait_for_selector("li b:text-is('Published')")
        self.check(tab, "the outcome")
        [request] = self.json(tab, "/runs")["requests"]
        self.assertEqual((request["state"], request["plan"], request["generation"]), ("published", name, 2))
        self.assertIn("data version 2", flat(tab.locator("li:has(b:text-is('Published'))").first.inner_text()))
        # What was published is what the plan showed, and the plan itself is of a generation before.
        after = self.json(tab, "/kpi")
        self.assertEqual(after["generation"], 2)
        self.assertEqual(after["total"]["in_house_pct"], plan["in_house_pct_planned"])
        self.assertEqual(after["total"]["contracted_cost_cents"], plan["contracted_cost_cents_planned"])
        tab.wait_for_selector(f"#plan-{name}:disabled")
        tab.goto(self.served.address + "/app/dashboard?month=2026-08")
        tab.wait_for_selector(READY + " .basis")
        now = self.json(tab, "/kpi?month=2026-08")["total"]["in_house_pct"]
        self.assertLess(now, before["total"]["in_house_pct"])
        self.assertIn(f"{now:.1f}% in-house", flat(tab.inner_text(".sentence")))


if __name__ == "__main__":
    run()
