/** More than any vendor has, and few enough for a dashboard. */
const USUAL_LIMIT = 50;

/** What stands for every value beyond the limit. */
const OTHER_VALUES = 'other';

/**
 * The values of a label that others choose, such as names in a vendor's response. Each process shows the first ones, and
 * counts all further ones as one: without a limit, a lying vendor would fill the memory of the process and of Prometheus.
 */
export class BoundedLabel {
  readonly #shown = new Set<string>();

  constructor(private readonly limit = USUAL_LIMIT) {}

  /** The value itself, or `other`. */
  of(value: string): string {
    if (this.#shown.has(value)) return value;
    if (this.#shown.size >= this.limit) return OTHER_VALUES;
    this.#shown.add(value);
    return value;
  }
}
