import { newId } from '../personas/vendor-ids.js';
import type { Picture } from '../picture/picture.js';
import type { Video } from '../video/video.js';

export type Result = Picture | Video;

const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000;
const KEPT_AT_MOST = 50_000;
const PATH = '/__results/';

/** What answers link to, for the 24 hours that vendors keep it: what the results are made of, not their bytes. */
export class ResultShelf {
  readonly #results = new Map<string, { readonly result: Result; readonly goneAtMs: number }>();

  /** The result's address on the host that the client called. */
  put(result: Result, host: string | undefined, madeAtMs = Date.now()): string {
    const name = `${newId(24)}.${result.format}`;
    this.#results.set(name, { result, goneAtMs: madeAtMs + IDEMPOTENCY_RETENTION_MS });
    if (this.#results.size > KEPT_AT_MOST) {
      const [oldest] = this.#results.keys();
      this.#results.delete(oldest ?? name);
    }
    return `http://${host ?? 'localhost'}${PATH}${name}`;
  }

  get(name: string): Result | undefined {
    const kept = this.#results.get(name);
    return kept === undefined || kept.goneAtMs <= Date.now() ? undefined : kept.result;
  }

  /** The result at an address that this shelf gave out; undefined for any other address. */
  at(url: string): Result | undefined {
    const place = url.indexOf(PATH);
    return place === -1 ? undefined : this.get(url.slice(place + PATH.length));
  }

  /** True if the address is one of this simulator's, whether or not the result is still there. */
  owns(url: string): boolean {
    return url.includes(PATH);
  }
}
