import { type GeneratedImage, MEDIA_TYPES, renderImage } from '../media/image.js';
import { renderVideo, type Video } from '../media/video.js';
import { newId } from '../vendors/vendor-ids.js';

export type Result = GeneratedImage | Video;
const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60 * 1_000;
const MAX_STORED = 50_000;
const PATH = '/__results/';

/** Results that responses link to, for 24 hours. Stores what they are made of, not their bytes. */
export class ResultStore {
  readonly #results = new Map<string, { readonly result: Result; readonly goneAtMs: number }>();

  /** Returns the address on the host of the client's request. */
  put(result: Result, host: string | undefined, madeAtMs = Date.now()): string {
    const name = `${newId(24)}.${result.format}`;
    this.#results.set(name, { result, goneAtMs: madeAtMs + IDEMPOTENCY_RETENTION_MS });
    if (this.#results.size > MAX_STORED) {
      const [oldest] = this.#results.keys();
      this.#results.delete(oldest ?? name);
    }
    return `http://${host ?? 'localhost'}${PATH}${name}`;
  }

  get(name: string): Result | undefined {
    const stored = this.#results.get(name);
    return stored === undefined || stored.goneAtMs <= Date.now() ? undefined : stored.result;
  }

  /** Undefined for any other address. */
  at(url: string): Result | undefined {
    const place = url.indexOf(PATH);
    return place === -1 ? undefined : this.get(url.slice(place + PATH.length));
  }

  /** True for an address of this simulator, expired or not. */
  owns(url: string): boolean {
    return url.includes(PATH);
  }
}

export const renderResult = (result: Result): { readonly bytes: Buffer; readonly type: string } =>
  result.format === 'mp4'
    ? { bytes: renderVideo(result), type: 'video/mp4' }
    : { bytes: renderImage(result), type: MEDIA_TYPES[result.format] };
