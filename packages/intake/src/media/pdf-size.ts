import { inflateSync } from 'node:zlib';

/** What a PDF holds at most, by its own bytes. */
export interface PdfSize {
  readonly pages: number;
  /** Bytes of all streams except compressed images, inflated: the text is among them. 0 if it was not wanted. */
  readonly textBytes: number;
}

/** What all files of one request may take together: reading more would block the event loop for too long. */
export class PdfWork {
  streams = 5_000;
  /** Each costs some twenty microseconds, however short it is. */
  inflations = 500;
  inflatedBytes = 4 * 1024 * 1024;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_DICTIONARY_BYTES = 4_096;

/** More is refused as unusual, so that a search stays short. */
const GAP = String.raw`[\0\s]{0,32}`;
const END_OF_NAME = String.raw`(?![^\0\s()<>[\]{}/%])`;
/** With or without its `/Type`, which a file can spell in many ways. */
const PAGE = new RegExp(`/Page${END_OF_NAME}`, 'g');
const COUNT = new RegExp(`/Count${END_OF_NAME}${GAP}([+-]?\\d{1,15})?(?=(${GAP}\\d{1,10}${GAP}R)?)`, 'g');
const KIDS = new RegExp(`/Kids${END_OF_NAME}${GAP}(\\[[\\d\\0\\sR]*\\])?`, 'g');
const REFERENCE = /\d{1,10}[\0\s]{1,32}\d{1,10}[\0\s]{1,32}R/g;
const FILTER = new RegExp(`/Filter${END_OF_NAME}`, 'g');
const FLATE = new RegExp(`/Filter${GAP}(?:/FlateDecode${END_OF_NAME}|\\[${GAP}/FlateDecode${GAP}\\])`);
/** Filters whose output is an image, never text. */
const IMAGE_FILTER = new RegExp(`/Filter${GAP}(?:\\[${GAP})?/(?:DCT|JPX|CCITTFax|JBIG2)Decode${END_OF_NAME}`);
/** Only streams of objects have it. They need no type. */
const FIRST = new RegExp(`/First${END_OF_NAME}`);
const WORD_STREAM = `(?<![^\\0\\s()<>[\\]{}/%])stream${END_OF_NAME}`;
const STREAM = new RegExp(`${WORD_STREAM}([ \\t]{0,8}(?:\\r\\n|\\r|\\n))?`, 'g');
const INNER_STREAM = new RegExp(WORD_STREAM);
const STRING = /\([^()\\]*\)/g;
/** What could hide a part of a dictionary from this search, and not from a parser. */
const HIDING = /[()%\\]/;

/**
 * Undefined if the file is no PDF, or cannot be read here: more than 4 MiB, also inflated, an encryption, an unusual filter.
 * Undefined too for every spelling that a parser may read otherwise: a sender could hide pages that the vendor bills.
 */
export function pdfSizeOf(bytes: Buffer, needsText = true, work = new PdfWork()): PdfSize | undefined {
  if (bytes.length > MAX_FILE_BYTES || !bytes.subarray(0, 1_024).includes('%PDF-')) return undefined;
  const file = bytes.toString('latin1');
  const pages = new PageTally();
  pages.add(file);
  let textBytes = 0;
  for (const found of streamsIn(file)) {
    work.streams -= 1;
    if (found === undefined || work.streams < 0 || !pages.isCertain) return undefined;
    const content = contentOf(bytes, found, { needsText, work });
    if (content === undefined) return undefined;
    textBytes += content.length;
    if (found.holdsObjects) pages.addObjects(content, found.dictionary);
  }
  return pages.isCertain ? { pages: pages.most, textBytes: needsText ? textBytes : 0 } : undefined;
}

/** A letter of a name may be written as its number. */
const withoutEscapes = (text: string): string =>
  text.includes('#')
    ? text.replace(/#([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Counts pages by their objects, by the numbers that a tree names, and by its references, which may repeat a page. */
class PageTally {
  /** False if a parser may find more. */
  isCertain = true;
  #objects = 0;
  #count = 0;
  #references = 0;
  #branches = 0;
  #repeats = false;

  get most(): number {
    return Math.max(1, this.#objects, this.#count, this.#references);
  }

  add(escaped: string): void {
    const text = withoutEscapes(escaped);
    if (text.includes('/Encrypt')) this.isCertain = false;
    this.#objects += text.match(PAGE)?.length ?? 0;
    for (const [, count, reference] of text.matchAll(COUNT)) {
      if (count === undefined || reference !== undefined) this.isCertain = false;
      else this.#count = Math.max(this.#count, Number(count));
    }
    for (const [, kids] of text.matchAll(KIDS)) this.#addBranch(kids ?? '');
  }

  addObjects(content: Buffer, dictionary: string): void {
    // A predictor may scramble the words of objects.
    if (dictionary.includes('/DecodeParms')) this.isCertain = false;
    this.add(content.toString('latin1'));
  }

  #addBranch(kids: string): void {
    const references = kids.match(REFERENCE) ?? [];
    this.#branches += 1;
    this.#references += references.length;
    this.#repeats ||= new Set(references).size < references.length;
    // A repeated branch would count each time.
    const isPlain = references.length > 0 && references.length === kids.split('R').length - 1;
    if (!isPlain || (this.#repeats && this.#branches > 1)) this.isCertain = false;
  }
}

interface FoundStream {
  readonly dictionary: string;
  readonly holdsObjects: boolean;
  readonly start: number;
  readonly end: number;
}

/** Undefined: a word that a parser may take for a stream, and whose dictionary is not certain. */
function* streamsIn(file: string): Generator<FoundStream | undefined> {
  STREAM.lastIndex = 0;
  for (let found = STREAM.exec(file); found !== null; found = STREAM.exec(file)) {
    const start = found.index + found[0].length;
    const ended = file.indexOf('endstream', start);
    const end = ended === -1 ? file.length : ended;
    const dictionary = dictionaryBefore(file, found.index);
    yield found[1] === undefined || dictionary === undefined || INNER_STREAM.test(file.slice(start, end))
      ? undefined
      : { dictionary, holdsObjects: FIRST.test(dictionary), start, end };
    STREAM.lastIndex = end + 'endstream'.length;
  }
}

/** The dictionary of an object, from its `obj` to the word `stream`. */
function dictionaryBefore(file: string, end: number): string | undefined {
  const object = file.lastIndexOf('obj', end);
  if (object === -1 || end - object > MAX_DICTIONARY_BYTES) return undefined;
  const dictionary = withoutEscapes(file.slice(object + 'obj'.length, end))
    .replace(STRING, '')
    .trim();
  const isWhole = dictionary.startsWith('<<') && dictionary.endsWith('>>');
  if (!isWhole || HIDING.test(dictionary) || (dictionary.match(FILTER)?.length ?? 0) > 1) return undefined;
  return dictionary;
}

const NOTHING = Buffer.alloc(0);

/** Nothing where it does not matter; undefined where it matters and cannot be read. */
function contentOf(
  file: Buffer,
  { dictionary, holdsObjects, start, end }: FoundStream,
  { needsText, work }: { readonly needsText: boolean; readonly work: PdfWork },
): Buffer | undefined {
  if (!holdsObjects && (!needsText || IMAGE_FILTER.test(dictionary))) return NOTHING;
  if (work.inflations === 0 || work.inflatedBytes <= 0) return undefined;
  const stream = file.subarray(start, end);
  const content = dictionary.includes('/Filter') ? inflate(stream, dictionary, work) : stream;
  if (content !== undefined) work.inflatedBytes -= content.length;
  return work.inflatedBytes < 0 ? undefined : content;
}

function inflate(stream: Buffer, dictionary: string, work: PdfWork): Buffer | undefined {
  if (!FLATE.test(dictionary)) return undefined;
  work.inflations -= 1;
  try {
    return inflateSync(stream, { maxOutputLength: work.inflatedBytes });
  } catch {
    // A damaged stream, one that ends later than it seems, or one above the limit.
    return undefined;
  }
}
