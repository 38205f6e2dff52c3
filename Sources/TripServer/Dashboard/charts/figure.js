// A chart with all that belongs to it: its name, what the chosen month reads above it, steps to the
// months beside, and the same numbers as a table.

import { fill, h, icon, painted, s } from "../shell/dom.js";
import { copyable, copyButton } from "../shell/copies.js";
import { t } from "../text/text.js";
import { drawInto } from "./scale.js";

let number = 0;

/**
 * Figures of the same months, of which all read the month that is chosen in one.
 * @typedef {Set<(index: number) => void>} Linked
 */

/**
 * Makes one.
 * @param {object} what
 * @param {string} what.title Its name.
 * @param {string} what.description What it shows, in a sentence or two.
 * @param {number} what.count How many months it has.
 * @param {number} what.chosen The index of the month it begins with.
 * @param {(index: number) => import("../shell/dom.js").Child} what.readout What a month reads.
 * @param {(index: number) => string} what.copied What of a month is copied.
 * @param {Linked} [what.linked] The figures of the same months, to which it is added.
 * @param {(drawing: SVGElement, size: {width: number, height: number}, chosen: number) => (x: number) => number}
 *   what.draw Draws it; returns which month is at a place.
 * @param {() => HTMLElement} what.table The same as a table.
 * @param {import("../shell/dom.js").Child} [what.legend] How it is read.
 * @param {string} [what.note] What is said in its place, where it has nothing to draw.
 * @param {boolean} [what.isSmall] Whether it is one of several.
 * @param {() => HTMLElement} [what.save] Makes the button that saves its numbers, beside the table.
 * @returns {HTMLElement} The figure.
 */
export function figure(
  {
    title,
    description,
    count,
    chosen,
    readout,
    copied,
    linked = new Set(),
    draw,
    table,
    legend,
    note = "",
    isSmall = false,
    save,
  },
) {
  const id = "chart-" + ++number;
  let index = chosen;
  /** @type {((x: number) => number) | null} */
  let monthAt = null;
  let size = { width: 0, height: 0 };
  const place = h("div.chart", { class: isSmall ? "chart-small" : "" });
  const reading = reader((by) => choose(index + by));
  copyable(reading.words, () => copied(index));
  const picture = note ? h("p.hidden-note", null, icon("hidden"), note) : place;
  const { toggle, body } = withTable(title, picture, table, save, (isTable) => {
    reading.node.hidden = isTable;
  });

  function redraw() {
    if (!size.width) return;
    const { width, height } = size;
    const names = { role: "img", "aria-labelledby": `${id}-t ${id}-d` };
    const drawing = s("svg", { ...names, viewBox: `0 0 ${width} ${height}`, width, height });
    fill(place, drawing);
    drawing.append(s("title", { id: id + "-t" }, title), s("desc", { id: id + "-d" }, description));
    monthAt = draw(drawing, size, index);
  }
  /**
   * @param {number} next
   * @param {boolean} isOwn Whether it was chosen here, and is read out here alone.
   */
  function read(next, isOwn) {
    index = Math.max(0, Math.min(count - 1, next));
    reading.words.setAttribute("aria-live", isOwn ? "polite" : "off");
    reading.show(readout(index), index > 0, index < count - 1);
    redraw();
  }
  const follow = (/** @type {number} */ next) => read(next, false);
  linked.add(follow);
  /** @param {number} next */
  function choose(next) {
    read(next, true);
    for (const each of linked) {
      // The press is answered first.
      if (each !== follow) painted().then(() => each(index));
    }
  }
  place.addEventListener("click", (event) => {
    if (monthAt) choose(monthAt(event.clientX - place.getBoundingClientRect().left));
  });
  drawInto(place, (width, height) => {
    size = { width, height };
    redraw();
  });
  follow(index);
  const value = () => copied(index);
  return h(
    "figure.card.chart-card",
    { "aria-labelledby": id },
    h("div.card-head", null, h("h2", { id }, title), toggle),
    reading.node,
    body,
    note ? null : h(
      "figcaption.chart-foot",
      null,
      h("span.caption", null, legend),
      copyButton(title, () => [{ name: title, value: "", text: value() }]),
    ),
  );
}

/**
 * What the chosen month reads, between the steps to the months beside.
 * @param {(by: -1 | 1) => void} step Chooses the month before or after.
 */
function reader(step) {
  const words = h("p.readout", { "aria-atomic": "true" });
  const button = (/** @type {string} */ label, /** @type {string} */ name, /** @type {-1 | 1} */ by) =>
    h("button.icon-button", { type: "button", "aria-label": label, onclick: () => step(by) }, icon(name));
  const [earlier, later] = [button(t("earlier"), "back", -1), button(t("later"), "next", 1)];
  /** @param {import("../shell/dom.js").Child} text @param {boolean} hasEarlier @param {boolean} hasLater */
  const show = (text, hasEarlier, hasLater) => {
    fill(words, text);
    // A button that took itself away would take the focus along.
    earlier.setAttribute("aria-disabled", String(!hasEarlier));
    later.setAttribute("aria-disabled", String(!hasLater));
  };
  return { node: h("div.reading", null, earlier, words, later), words, show };
}

/**
 * A picture and the same as a table, one at a time.
 * @param {string} title What both show.
 * @param {HTMLElement} picture The picture.
 * @param {() => HTMLElement} table Makes the table.
 * @param {() => HTMLElement} [save] Makes the button that saves the numbers.
 * @param {(isTable: boolean) => void} [turned] Called after each change.
 * @returns {{toggle: HTMLElement, body: HTMLElement}} The button and where they stand.
 */
export function withTable(title, picture, table, save, turned = () => {}) {
  let isTable = false;
  const body = h("div", null, picture);
  const turn = () => {
    isTable = !isTable;
    const region = { tabindex: "0", role: "region", "aria-label": title };
    fill(body, isTable ? [save?.(), h("div.scroll", region, table())] : picture);
    name();
    turned(isTable);
  };
  const toggle = h("button.text-button", { type: "button", onclick: turn });
  const name = () => {
    const label = t(isTable ? "as-chart" : "as-table");
    fill(toggle, label);
    toggle.setAttribute("aria-label", `${label}: ${title}`);
  };
  name();
  return { toggle, body };
}

/**
 * A table of months.
 * @param {string} caption What it has.
 * @param {string[]} heads The names of its columns.
 * @param {import("../shell/dom.js").Child[][]} rows The cells, a row for each.
 * @param {{isStacked?: boolean}} [options] Whether the first cell of a row stands above the others on a phone.
 * @returns {HTMLElement} The table.
 */
export function table(caption, heads, rows, { isStacked = false } = {}) {
  return h(
    "table.table",
    { class: isStacked ? "stacked" : "" },
    h("caption.unseen", null, caption),
    h("thead", null, h("tr", null, heads.map((each) => h("th", { scope: "col" }, each)))),
    h(
      "tbody",
      null,
      rows.map(([first, ...others]) =>
        h("tr", null, h("th", { scope: "row" }, first), others.map((each) => h("td", null, each)))
      ),
    ),
  );
}
