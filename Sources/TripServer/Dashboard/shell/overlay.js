// What covers the screen: sheets (a choice), dialogs (a question), which the browser itself keeps
// the focus in. The way back closes the uppermost first; only a question about who is there cannot
// be closed.

import { h, icon } from "./dom.js";
import { t } from "../text/text.js";
import { session } from "./auth.js";
import { setCover } from "./router.js";

/** @typedef {{dialog: HTMLDialogElement, close: (isBack?: boolean) => void, isFixed: boolean}} Open */

/** @type {Open[]} */
const open = [];

/**
 * Whether something covers the screen.
 * @returns {boolean} Whether it does.
 */
export function isCovered() {
  return open.length > 0;
}

function closedByBack() {
  const last = open.at(-1);
  if (last?.isFixed) history.pushState({ overlay: true }, "");
  else last?.close(true);
}

/** Closes everything, such as where the session is over. */
export function closeAll() {
  for (const each of open.slice().reverse()) each.close();
}

setCover({ isCovered, closedByBack });
session.addEventListener("ended", closeAll);

/**
 * Opens an overlay.
 * @param {object} what
 * @param {string} what.title Its heading.
 * @param {"sheet" | "dialog"} what.kind From below and in the middle where there is room, or in the middle.
 * @param {(close: () => void) => import("./dom.js").Child[]} what.content What stands in it.
 * @param {"dialog" | "alertdialog"} [what.role] A question that cannot wait is an alert.
 * @param {boolean} [what.isFixed] Whether it can be left by its buttons alone.
 * @param {() => void} [what.whenClosed] What happens afterwards.
 * @returns {() => void} Closes it.
 */
export function overlay({ title, kind, content, role = "dialog", isFixed = false, whenClosed }) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const heading = h("h2.overlay-title", { id: "overlay-" + open.length, tabindex: "-1" }, title);
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", {
    class: kind,
    role: role === "dialog" ? null : role,
    "aria-labelledby": heading.id,
  }));
  let isClosed = false;
  /** @param {boolean} [isBack] */
  const close = (isBack = false) => {
    if (isClosed) return;
    isClosed = true;
    open.splice(open.findIndex((each) => each.dialog === dialog), 1);
    dialog.close();
    dialog.remove();
    if (before?.isConnected) before.focus();
    if (isBack || !history.state?.overlay) {
      whenClosed?.();
      return;
    }
    // The step of the history that belongs to it goes with it; only then is there a place to go on
    // from.
    if (whenClosed) addEventListener("popstate", whenClosed, { once: true });
    history.back();
  };
  dialog.append(
    h(
      "div.overlay-head",
      null,
      heading,
      isFixed
        ? null
        : h("button.icon-button", { type: "button", "aria-label": t("close"), onclick: () => close() }, icon("close")),
    ),
    h("div.overlay-body", null, ...content(close)),
  );
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    if (!isFixed) close();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && !isFixed) close();
  });
  document.body.append(dialog);
  open.push({ dialog, close, isFixed });
  history.pushState({ overlay: true }, "");
  dialog.showModal();
  heading.focus();
  return close;
}

/**
 * A question with two answers; the main one stands to the right.
 * @param {object} what
 * @param {string} what.title The question.
 * @param {string} what.note What follows from it.
 * @param {string} what.yes The main answer, in one or two words.
 * @param {string} what.no The other one.
 * @param {boolean} [what.isMajor] Whether it is read out as an alert.
 * @returns {Promise<boolean>} Whether the main answer was chosen.
 */
export function question({ title, note, yes, no, isMajor = false }) {
  return new Promise((answer) => {
    let chosen = false;
    overlay({
      title,
      kind: isMajor ? "dialog" : "sheet",
      role: "alertdialog",
      whenClosed: () => answer(chosen),
      content: (close) => [
        h("p", null, note),
        h(
          "div.choices",
          null,
          h("button.button.second", { type: "button", onclick: () => close() }, no),
          h("button.button", {
            type: "button",
            onclick: () => {
              chosen = true;
              close();
            },
          }, yes),
        ),
      ],
    });
  });
}
