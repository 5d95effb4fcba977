import type { MediaTokens } from '@gateway/contracts';
import { maxTokens } from '../max-tokens.js';
import { pixelsOf } from './image-pixels.js';
import { PdfWork, pdfSizeOf } from './pdf-size.js';
import { secondsOf } from './recording-seconds.js';

export type MediaKind = 'image' | 'audio' | 'video' | 'file';

/** Base64 characters that hold the size of nearly every image. */
const HEAD_CHARACTERS = 128 * 1_024;
/** Fewer bytes for a second than any usual encoding of speech has. */
const MIN_BYTES_PER_SECOND = 100;
const DATA_URI = /^data:[^,]{0,256},/;
const BASE64 = /^[\w+/-]{4}/;

/** The base64 text of inline media; undefined for an address, an id, or nothing. */
export function inlineOf(source: unknown): string | undefined {
  if (typeof source !== 'string') return undefined;
  const [head] = DATA_URI.exec(source) ?? [];
  if (head !== undefined) return source.slice(head.length);
  return BASE64.test(source) && !/^[a-z][a-z0-9+.-]*:/i.test(source.slice(0, 64)) ? source : undefined;
}

/** Adds up the most tokens that the media of one request can be. */
export class MediaTally {
  /** Tokens at the price of text. */
  tokens = 0;
  /** Tokens at the price of audio, which may be more expensive. */
  audioTokens = 0;
  /** A part may be as long as the context window allows. */
  fillsContext = false;
  refersToMedia = false;
  readonly #pdfWork = new PdfWork();

  constructor(private readonly media: MediaTokens) {}

  /** `inline`: the base64 text of the part. Undefined: the gateway has not seen the part. */
  add(kind: MediaKind, inline: string | undefined): void {
    if (inline === undefined) this.refersToMedia = true;
    if (kind === 'image') this.#addImage(inline);
    else if (kind === 'file') this.#addFile(inline);
    else this.#addRecording(kind, inline);
  }

  #addImage(inline: string | undefined): void {
    const { most, block } = this.media.image;
    const pixels =
      inline === undefined || block === undefined
        ? undefined
        : pixelsOf(Buffer.from(inline.slice(0, HEAD_CHARACTERS), 'base64'));
    if (pixels === undefined || block === undefined) this.tokens += most;
    else {
      const blocks = Math.ceil(pixels.width / block.side) * Math.ceil(pixels.height / block.side);
      this.tokens += Math.min(most, Math.ceil(blocks * block.tokens));
    }
  }

  #addFile(inline: string | undefined): void {
    const { page } = this.media;
    const size =
      inline === undefined || page === undefined
        ? undefined
        : pdfSizeOf(Buffer.from(inline, 'base64'), !page.includesText, this.#pdfWork);
    if (size === undefined || page === undefined) this.fillsContext = true;
    else this.tokens += size.pages * page.tokens + (page.includesText ? 0 : maxTokens(size.textBytes));
  }

  #addRecording(kind: 'audio' | 'video', inline: string | undefined): void {
    const { audioSecond = 0, videoSecond = 0 } = this.media;
    const bytes = inline === undefined ? undefined : Buffer.from(inline, 'base64');
    const seconds = bytes && (secondsOf(bytes) ?? (kind === 'audio' ? bytes.length / MIN_BYTES_PER_SECOND : undefined));
    if (seconds === undefined) this.fillsContext = true;
    else {
      this.audioTokens += Math.ceil(seconds * audioSecond);
      if (kind === 'video') this.tokens += Math.ceil(seconds * videoSecond);
    }
  }
}
