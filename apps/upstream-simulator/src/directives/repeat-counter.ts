import { createHash } from 'node:crypto';
import { type Directives, limitDirectives, readDirectives, withoutFaults } from './directives.js';

const MAX_PROMPTS = 20_000;

/** Counts equal prompts, for `times`. */
export class RepeatCounter {
  readonly #calls = new Map<string, number>();

  constructor(private readonly maxWaitMs = Number.POSITIVE_INFINITY) {}

  /** The directives of this call; counts it if `times` is set. */
  activeDirectives(vendor: string, directedTexts: readonly string[]): Directives {
    const directives = limitDirectives(readDirectives(directedTexts), this.maxWaitMs);
    if (directives.times === undefined) return directives;
    const calls = this.#count(vendor, directedTexts);
    return calls <= directives.times ? directives : withoutFaults(directives);
  }

  #count(vendor: string, directedTexts: readonly string[]): number {
    const key = createHash('sha1').update(vendor).update('\n').update(directedTexts.join('\n')).digest('base64');
    const calls = (this.#calls.get(key) ?? 0) + 1;
    this.#calls.delete(key);
    this.#calls.set(key, calls);
    if (this.#calls.size > MAX_PROMPTS) {
      const [oldest] = this.#calls.keys();
      this.#calls.delete(oldest ?? key);
    }
    return calls;
  }
}
