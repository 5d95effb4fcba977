import { constants, inflateSync } from 'node:zlib';

/** What a PDF holds at most, by its own bytes. */
export interface PdfSize {
  readonly pages: number;
  /** Bytes of all streams except compressed images, inflated: the text is among them. */
  readonly textBytes: number;
}

/** Reading more would block the event loop for too long. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_INFLATED_BYTES = 4 * 1024 * 1024;
const MAX_STREAMS = 20_000;
const DICTIONARY_BYTES = 1_024;

const PAGE = /\/Type\s{0,8}\/Page(?![A-Za-z])/g;
const COUNT = /\/Count\s{1,8}(\d{1,9})/g;
const FLATE = /\/Filter\s{0,8}(?:\/FlateDecode|\[\s{0,8}\/FlateDecode\s{0,8}\])/;
/** Filters whose output is an image, never text. */
const IMAGE_FILTER = /\/Filter\s{0,8}(?:\[\s{0,8})?\/(?:DCT|JPX|CCITTFax|JBIG2)Decode/;

/**
 * Undefined if the file is no PDF, or cannot be read here: more than 4 MiB, also inflated, an encryption, an unusual filter.
 */
export function pdfSizeOf(bytes: Buffer): PdfSize | undefined {
  if (bytes.length > MAX_FILE_BYTES || !bytes.subarray(0, 1_024).includes('%PDF-')) return undefined;
  const file = bytes.toString('latin1');
  if (file.includes('/Encrypt')) return undefined;
  let pages = pagesIn(file);
  let textBytes = 0;
  let streams = 0;
  for (const { dictionary, start, end } of streamsIn(file)) {
    streams += 1;
    if (IMAGE_FILTER.test(dictionary)) continue;
    const inflated = inflate(bytes.subarray(start, end), dictionary, MAX_INFLATED_BYTES - textBytes);
    if (inflated === undefined || streams > MAX_STREAMS) return undefined;
    textBytes += inflated.length;
    if (dictionary.includes('/ObjStm')) pages = Math.max(pages, pagesIn(inflated.toString('latin1')));
  }
  return { pages: Math.max(1, pages), textBytes };
}

function* streamsIn(file: string) {
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at)) {
    const dictionary = file.slice(Math.max(0, at - DICTIONARY_BYTES), at);
    let start = at + 'stream'.length;
    if (file[start] === '\r') start += 1;
    if (file[start] === '\n') start += 1;
    const found = file.indexOf('endstream', start);
    const end = found === -1 ? file.length : found;
    yield { dictionary: dictionary.slice(dictionary.lastIndexOf(' obj') + 1), start, end };
    at = end + 'endstream'.length;
  }
}

function inflate(stream: Buffer, dictionary: string, maxBytes: number): Buffer | undefined {
  if (maxBytes <= 0) return undefined;
  if (!dictionary.includes('/Filter')) return stream.length > maxBytes ? undefined : stream;
  if (!FLATE.test(dictionary)) return undefined;
  try {
    return inflateSync(stream, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    // A damaged stream, or one above the limit.
    return undefined;
  }
}

/** A page tree names its number of pages, and each page has an object. */
function pagesIn(text: string): number {
  let pages = text.match(PAGE)?.length ?? 0;
  for (const [, count] of text.matchAll(COUNT)) pages = Math.max(pages, Number(count));
  return pages;
}
