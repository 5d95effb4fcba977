import type { PromptTally } from '../count/tokens.js';
import { stripDirectives } from '../directives/directives.js';

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;

/** The longest prefix of at most `maxBytes` UTF-8 bytes that splits no character. */
export const firstBytes = (text: string, maxBytes: number): string => {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text);
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.toString('utf8', 0, end);
};

/** Chunks of `size` UTF-16 units, one more to keep a surrogate pair together. */
export const slices = (text: string, size: number): string[] => {
  const chunks: string[] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + size, text.length);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to += 1;
    chunks.push(text.slice(from, to));
    from = to;
  }
  return chunks;
};

const WORDS =
  'the river runs past the old mill and turns a wheel that nothing has stopped for a hundred years while herons wait in the reeds'.split(
    ' ',
  );
const SENTENCE = `${WORDS.join(' ')} `;

export const fillerOfBytes = (bytes: number): string =>
  SENTENCE.repeat(Math.ceil(bytes / SENTENCE.length)).slice(0, bytes);

export const fillerOfWords = (words: number): string => {
  const whole = SENTENCE.repeat(Math.floor(words / WORDS.length));
  return (whole + WORDS.slice(0, words % WORDS.length).join(' ')).trimEnd();
};

/** Text that is dense in tokens, by the word of its directive. */
const SCRIPTS: Readonly<Record<string, string>> = {
  digits: '3141592653589793',
  hex: '9f86d081884c7d65',
  emoji: '😀🚀🎉🧩',
  ideographs: '河水流过老磨坊',
  cyrillic: 'река течёт мимо ',
};

/** Of the script that a directive names; `units` of UTF-16. An unknown name is the text itself. */
export function fillerOfScript(name: string, units: number): string {
  const text = SCRIPTS[name] ?? name;
  const filler = text.repeat(Math.ceil(units / text.length)).slice(0, units);
  return isHighSurrogate(filler.charCodeAt(filler.length - 1)) ? filler.slice(0, -1) : filler;
}

const ECHO_BYTES = 80;
const QUOTE_BYTES = 200;

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const echoOf = (text: string): string => firstBytes(stripDirectives(text.slice(0, 4_096)), ECHO_BYTES);

/** The default text: it reports what arrived, so that a test sees what is missing. */
export const plainText = (tally: PromptTally): string => {
  if (tally.toolResults.length > 0) {
    return `The tool answered: ${listed(tally.toolResults.map((result) => firstBytes(stripDirectives(result), QUOTE_BYTES)))}.`;
  }
  const contents = listed([
    ...counted(tally.textBytes, 'byte'),
    ...counted(tally.images, 'image'),
    ...counted(tally.audios, 'audio clip'),
    ...counted(tally.videos, 'video'),
    ...counted(tally.files, 'file'),
  ]);
  const echo = echoOf(tally.lastUserText);
  return echo === '' ? `I received ${contents}.` : `I received ${contents}. You said: ${echo}`;
};
