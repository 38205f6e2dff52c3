// A long list, of which the pages near the reader stand in the document; those far away give their place to a gap of the same height.

import { fill, h, s } from "../shell/dom.js";

/** How far beyond the window pages stand as they are, in pixels. */
const NEAR = 2_000;
/** How near the end is when more is asked for, in pixels. */
const SOON = 800;

/**
 * Makes one.
 * @template Row
 * @param {object} what
 * @param {(row: Row, index: number) => HTMLElement} what.made Makes a row; its index counts from the first of the list.
 * @param {HTMLElement} what.foot What stands below the list.
 * @param {() => void} what.more Asks for more.
 * @returns {{node: HTMLElement, add: (rows: Row[]) => void, clear: () => void, leave: () => void, look: () => void}} The list; `look`
 *   looks again whether its end is near.
 */
export function pagedList({ made, foot, more }) {
  const node = h("div.list", { role: "list" });
  /** @type {Map<Element, {rows: Row[], first: number}>} */
  const pages = new Map();
  let count = 0;
  const near = new IntersectionObserver((entries) => entries.forEach(put), { rootMargin: `${NEAR}px 0px` });
  const end = new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting) more();
  }, { rootMargin: `${SOON}px 0px` });

  /** @param {IntersectionObserverEntry} entry */
  function put({ target, isIntersecting, boundingClientRect: box }) {
    const page = pages.get(target);
    if (!page || isIntersecting === !target.classList.contains("away")) return;
    if (isIntersecting) fill(target, page.rows.map((row, index) => made(row, page.first + index)));
    else fill(target, s("svg.gap", { height: box.height, "aria-hidden": "true", focusable: "false" }));
    target.classList.toggle("away", !isIntersecting);
  }

  return {
    node,
    add(rows) {
      const page = h("div.page", { role: "none" }, rows.map((row, index) => made(row, count + index)));
      pages.set(page, { rows, first: count });
      count += rows.length;
      node.append(page);
      near.observe(page);
    },
    clear() {
      near.disconnect();
      pages.clear();
      count = 0;
      fill(node);
    },
    look() {
      end.unobserve(foot);
      end.observe(foot);
    },
    leave() {
      near.disconnect();
      end.disconnect();
    },
  };
}
