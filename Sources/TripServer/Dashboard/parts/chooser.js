// Buttons side by side, of which one is pressed.

import { h } from "../shell/dom.js";

/**
 * One of several, of which one is chosen.
 * @template {{label: string}} Choice
 * @param {string} name What is chosen.
 * @param {Choice[]} choices The choices.
 * @param {(choice: Choice) => boolean} isChosen Whether it is the one.
 * @param {(choice: Choice) => void} choose Chooses another.
 * @returns {HTMLElement} The buttons.
 */
export function chooser(name, choices, isChosen, choose) {
  return h(
    "div.chooser",
    { role: "group", "aria-label": name },
    choices.map((choice) =>
      h("button.button", {
        type: "button",
        class: isChosen(choice) ? "" : "second",
        "aria-pressed": String(isChosen(choice)),
        onclick: () => choose(choice),
      }, choice.label)
    ),
  );
}
