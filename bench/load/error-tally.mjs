const LONGEST = 160;

/** Counts failures by message, so that a thousand equal ones are one line. */
export class ErrorTally {
  #counts = {};

  add(text) {
    const key = String(text).slice(0, LONGEST);
    this.#counts[key] = (this.#counts[key] ?? 0) + 1;
  }

  get counts() {
    return this.#counts;
  }
}
