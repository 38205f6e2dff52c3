// Builds nodes of the document. Data becomes text nodes and attributes, and is never read as
// markup, so that a name in an answer cannot become an element. A `style` attribute is refused: the
// policy of the page forbids it, and every look is a class.

/** @typedef {Node | string | number | null | undefined | false | readonly any[]} Child Lists may stand in lists. */
/** @typedef {Record<string, unknown>} Properties */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element of HTML.
 * @param {string} name Its tag and classes, as in `section.card.wide`.
 * @param {Properties | null} [properties] Attributes; `on…` adds a listener; null, undefined and false leave one out.
 * @param {...Child} children What stands in it.
 * @returns {HTMLElement} The element.
 */
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  return /** @type {HTMLElement} */ (filled(document.createElement(tag), classes, properties, children));
}

/**
 * An element of SVG, of whose attributes those of presentation are allowed.
 * @param {string} name Its tag and classes.
 * @param {Properties | null} [properties] As of `h`.
 * @param {...Child} children What stands in it.
 * @returns {SVGElement} The element.
 */
export function s(name, properties, ...children) {
  const [tag, ...classes] = name.split(".");
  return /** @type {SVGElement} */ (filled(document.createElementNS(SVG, tag), classes, properties, children));
}

/**
 * An icon of the page's sprite; it says nothing by itself.
 * @param {string} name The icon.
 * @returns {SVGElement} The icon.
 */
export function icon(name) {
  return s("svg.icon", { "aria-hidden": "true", focusable: "false" }, s("use", { href: "#i-" + name }));
}

/**
 * Adds to what stands in an element.
 * @param {Element} place The element.
 * @param {...Child} children What stands in it beside.
 */
export function add(place, ...children) {
  append(place, children);
}

/**
 * Replaces what stands in an element.
 * @param {Element} place The element.
 * @param {...Child} children What stands in it from now on.
 */
export function fill(place, ...children) {
  const made = document.createDocumentFragment();
  append(made, children);
  place.replaceChildren(made);
}

/**
 * Replaces what stands in a screen; a reader at its heading stays there.
 * @param {Element} place The screen.
 * @param {...Child} children What stands in it from now on.
 */
export function refill(place, ...children) {
  const isAtHeading = document.activeElement?.tagName === "H1" && place.contains(document.activeElement);
  fill(place, ...children);
  if (isAtHeading) place.querySelector("h1")?.focus({ preventScroll: true });
}

/**
 * Waits until what stands in the document has been painted; not in a page that is hidden.
 * @returns {Promise<void>} Settled in a task of its own.
 */
export function painted() {
  if (document.hidden) return nextTask();
  return new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
}

/**
 * Lets waiting presses go first.
 * @returns {Promise<void>} Settled in a task of its own.
 */
export function nextTask() {
  return new Promise((go) => setTimeout(go));
}

/**
 * @param {Element} element
 * @param {string[]} classes
 * @param {Properties | null | undefined} properties
 * @param {Child[]} children
 */
function filled(element, classes, properties, children) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "style" || key === "innerHTML") {
      throw new TypeError(key + " is not allowed: name a class, or give a child");
    }
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    } else if (key === "class") {
      element.classList.add(...String(value).split(" ").filter(Boolean));
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Node} place
 * @param {Child[]} children
 */
function append(place, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(place, child);
    else place.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}
