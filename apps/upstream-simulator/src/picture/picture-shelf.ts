import { newId } from '../personas/vendor-ids.js';
import type { Picture } from './picture.js';

const KEPT_MS = 24 * 60 * 60 * 1_000;
const KEPT_AT_MOST = 50_000;
const PATH = '/__results/';

/** The pictures that answers link to, for the 24 hours that vendors keep them: what they are made of, not their bytes. */
export class PictureShelf {
  readonly #pictures = new Map<string, { readonly picture: Picture; readonly goneAtMs: number }>();

  /** The picture's address on the host that the client called. */
  put(picture: Picture, host: string | undefined): string {
    const name = `${newId(24)}.${picture.format}`;
    this.#pictures.set(name, { picture, goneAtMs: Date.now() + KEPT_MS });
    if (this.#pictures.size > KEPT_AT_MOST) {
      const [oldest] = this.#pictures.keys();
      this.#pictures.delete(oldest ?? name);
    }
    return `http://${host ?? 'localhost'}${PATH}${name}`;
  }

  get(name: string): Picture | undefined {
    const kept = this.#pictures.get(name);
    return kept === undefined || kept.goneAtMs <= Date.now() ? undefined : kept.picture;
  }

  /** The picture at an address that this shelf gave out; undefined for any other address. */
  at(url: string): Picture | undefined {
    const place = url.indexOf(PATH);
    return place === -1 ? undefined : this.get(url.slice(place + PATH.length));
  }

  /** True if the address is one of this simulator's, whether or not the picture is still there. */
  owns(url: string): boolean {
    return url.includes(PATH);
  }
}
