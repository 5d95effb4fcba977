import type { ResultShelf } from '../results/result-shelf.js';
import { readPictureSize } from './read-size.js';

/**
 * What a vendor finds at an image's address. `unseen`: an address of the wide world, which is taken on trust, as the
 * simulator has no way there.
 */
export type SeenImage =
  | { readonly kind: 'seen'; readonly width: number; readonly height: number }
  | { readonly kind: 'unseen' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'broken' };

const DATA_URI = /^data:image\/[a-z0-9.+-]+;base64,/i;
/** Hosts that a vendor's servers cannot reach. */
const PRIVATE =
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[)|\.(local|internal|invalid)$/i;

export function seeBytes(bytes: Buffer): SeenImage {
  const size = readPictureSize(bytes);
  return size === undefined ? { kind: 'broken' } : { kind: 'seen', width: size.width, height: size.height };
}

/** A data URI, an address of one of our own results, or an address of the world. */
export function lookAtImage(url: string, results: ResultShelf): SeenImage {
  if (DATA_URI.test(url)) {
    return seeBytes(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  }
  if (results.owns(url)) {
    const picture = results.at(url);
    if (picture === undefined) {
      return { kind: 'unreachable' };
    }
    return picture.format === 'mp4'
      ? { kind: 'broken' }
      : { kind: 'seen', width: picture.width, height: picture.height };
  }
  return { kind: lookAtAddress(url) };
}

/** What a vendor's servers make of an address of the world. */
export function lookAtAddress(url: string): 'unseen' | 'unreachable' | 'broken' {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return 'broken';
  }
  return PRIVATE.test(new URL(url).hostname) ? 'unreachable' : 'unseen';
}
