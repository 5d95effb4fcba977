import type { ResultStore } from '../results/result-store.js';
import { readImageSize } from './image-size.js';

/**
 * What a vendor finds at an image's address. `external`: a public address, which is not fetched and counts as valid.
 */
export type ImageInspection =
  | { readonly kind: 'readable'; readonly width: number; readonly height: number }
  | { readonly kind: 'external' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'broken' };

const DATA_URI = /^data:image\/[a-z0-9.+-]+;base64,/i;
/** Hosts that are private to the client. */
const PRIVATE =
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[)|\.(local|internal|invalid)$/i;

export function inspectBytes(bytes: Buffer): ImageInspection {
  const size = readImageSize(bytes);
  return size === undefined ? { kind: 'broken' } : { kind: 'readable', width: size.width, height: size.height };
}

export function inspectImage(url: string, results: ResultStore): ImageInspection {
  if (DATA_URI.test(url)) return inspectBytes(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  if (results.owns(url)) {
    const image = results.at(url);
    if (image === undefined) return { kind: 'unreachable' };
    return image.format === 'mp4' ? { kind: 'broken' } : { kind: 'readable', width: image.width, height: image.height };
  }
  return { kind: classifyAddress(url) };
}

export function classifyAddress(url: string): 'external' | 'unreachable' | 'broken' {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return 'broken';
  return PRIVATE.test(new URL(url).hostname) ? 'unreachable' : 'external';
}
