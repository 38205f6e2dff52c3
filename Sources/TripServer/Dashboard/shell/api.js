// Asks the server: one place for tokens, time limits, tries and faults. Answers are kept in this
// page's memory alone (`no-store`), and asked for again with their tag.

import { accessToken, begin, isUnknown, renewed, sessionEnded } from "./auth.js";
import { PATIENCE, questions } from "./early.js";

/** How often a question is sent again where nothing, or 503, came back; a form never is. */
const TRIES = 2;

/** A failure in one of a few kinds, each with its text in the tables of texts. */
export class Fault extends Error {
  /**
   * @param {"offline" | "slow" | "ended" | "problem"} kind Whether nothing answers, too late, no user is signed in,
   *   or the server said no.
   * @param {string} code The code of the problem document; empty where there is none.
   * @param {{status?: number, parameter?: string, after?: number}} [more] Status, the parameter at fault, seconds to
   *   wait.
   */
  constructor(kind, code = "", more = {}) {
    super(kind + " " + code);
    this.kind = kind;
    this.code = code;
    this.status = more.status ?? 0;
    this.parameter = more.parameter ?? "";
    this.after = more.after ?? 0;
  }
}

/** @type {Map<string, {tag: string, data: unknown}>} */
const answers = new Map();
/** Listeners of the network's state. */
export const network = new EventTarget();
let isReached = true;

/** @typedef {{generation: number, as_of?: string}} Newer The generation, and when it was published, where that is known. */

/** Says `newer` where an answer is of a later generation than what was shown before; `detail` is a `Newer`. */
export const published = new EventTarget();
let newest = 0;

/**
 * Says that there is something newer.
 * @param {Newer} answer An answer of it.
 */
export function noteNewer(answer) {
  published.dispatchEvent(new CustomEvent("newer", { detail: answer }));
}

/** Forgets every answer: the account has changed, or the session is over. */
export function forgetAnswers() {
  answers.clear();
  newest = 0;
}

/**
 * Whether the last request reached the server.
 * @returns {boolean} Whether it did.
 */
export function isOnline() {
  return isReached;
}

/** Notes that nothing answers, such as at a start without a network. */
export function noteAway() {
  note(false);
}

/** @param {boolean} reached */
function note(reached) {
  if (reached === isReached) return;
  isReached = reached;
  network.dispatchEvent(new Event("change"));
}

/**
 * Asks a question.
 * @template Answer
 * @param {string} path The path with its query.
 * @param {{isKept?: boolean, signal?: AbortSignal}} [options] Whether its answer stays in memory (not that of a
 *   single trip).
 * @returns {Promise<Answer>} The answer.
 * @throws {Fault} Where there is none.
 */
export async function get(path, options = {}) {
  const known = answers.get(path);
  const answer = await sent(
    path,
    { headers: known ? { "If-None-Match": known.tag } : {}, signal: options.signal },
    TRIES,
  );
  if (answer.status === 304 && known) return /** @type {Answer} */ (known.data);
  const data = await answer.json();
  if (data.generation > newest) {
    if (newest > 0) noteNewer(data);
    newest = data.generation;
  }
  const tag = answer.headers.get("ETag");
  if (tag && options.isKept !== false) {
    // A page of a list is one of many: the oldest answers go first.
    if (answers.size > 60) answers.delete(/** @type {string} */ (answers.keys().next().value));
    answers.set(path, { tag, data });
  }
  return data;
}

/**
 * Asks for the rows of an answer as CSV, and for those of all further pages.
 * @param {string} path The path with its query.
 * @returns {Promise<string>} The rows under one header.
 * @throws {Fault} Where there are none.
 */
export async function rowsOf(path) {
  let rows = "";
  for (let next = path; next;) {
    const answer = await sent(next, { headers: { Accept: "text/csv" } }, TRIES);
    const text = await answer.text();
    rows += rows ? text.slice(text.indexOf("\n") + 1) : text;
    next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get("Link") ?? "")?.[1] ?? "";
  }
  return rows;
}

/**
 * Sends a form.
 * @template Answer
 * @param {string} path The path.
 * @param {Record<string, string>} fields Its fields.
 * @param {Record<string, string>} [headers] Further headers.
 * @returns {Promise<Answer>} The answer.
 * @throws {Fault} Where there is none.
 */
export async function post(path, fields, headers = {}) {
  const answer = await sent(path, { method: "POST", body: new URLSearchParams(fields), headers }, 0);
  return answer.json();
}

/**
 * @param {string} path
 * @param {RequestInit} options
 * @param {number} triesLeft
 * @param {boolean} [isSecond] Whether the token was renewed for it.
 * @returns {Promise<Response>}
 */
async function sent(path, options, triesLeft, isSecond = false) {
  await begin();
  if (isUnknown() && !await renewed()) {
    note(false);
    throw new Fault(isUnknown() ? "offline" : "ended");
  }
  const token = await accessToken();
  if (!token) throw new Fault("ended");
  /** @type {Response} */
  let answer;
  const limit = AbortSignal.timeout(PATIENCE);
  const question = options.method ? undefined : questions.get(path);
  questions.delete(path);
  try {
    answer = await question ?? await fetch(path, {
      ...options,
      cache: "no-store",
      headers: { ...options.headers, Authorization: "Bearer " + token },
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const isSlow = limit.aborted;
    if (triesLeft > 0 && !isSlow) {
      await pause(TRIES - triesLeft);
      return sent(path, options, triesLeft - 1, isSecond);
    }
    note(isSlow);
    throw new Fault(isSlow ? "slow" : "offline");
  }
  note(true);
  if (answer.ok || answer.status === 304) return answer;
  const problem = await answer.json().catch(() => ({}));
  const after = Number(answer.headers.get("Retry-After")) || 0;
  if (answer.status === 401 && problem.code === "unauthorized") {
    if (!isSecond && await renewed()) return sent(path, options, triesLeft, true);
    if (isOnline()) sessionEnded("expired");
    throw new Fault("ended");
  }
  if (answer.status === 503 && problem.code === "too_busy" && triesLeft > 0) {
    await pause(TRIES - triesLeft);
    return sent(path, options, triesLeft - 1, isSecond);
  }
  throw new Fault("problem", problem.code ?? "internal", {
    status: answer.status,
    parameter: problem.parameter,
    after,
  });
}

/** @param {number} number */
function pause(number) {
  return new Promise((go) => setTimeout(go, 300 * 3 ** number * (0.75 + Math.random() / 2)));
}
