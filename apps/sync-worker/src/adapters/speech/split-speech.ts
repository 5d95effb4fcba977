import { countSpeechCharacters } from '@gateway/contracts';

type Granularity = NonNullable<Intl.SegmenterOptions['granularity']>;

/** Where to cut, best first. A grapheme is never cut. */
const GRANULARITIES: readonly Granularity[] = ['sentence', 'word', 'grapheme'];

const segmentsOf = (text: string, granularity: Granularity): string[] =>
  Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment);

function pack(text: string, limit: number, [granularity, ...finer]: readonly Granularity[]): readonly string[] {
  if (granularity === undefined || countSpeechCharacters(text) <= limit) return [text];
  const parts: string[] = [];
  let partCharacters = limit;
  for (const segment of segmentsOf(text, granularity)) {
    const characters = countSpeechCharacters(segment);
    if (partCharacters + characters <= limit) {
      parts[parts.length - 1] += segment;
      partCharacters += characters;
    } else if (characters <= limit) {
      parts.push(segment);
      partCharacters = characters;
    } else {
      parts.push(...pack(segment, limit, finer));
      partCharacters = countSpeechCharacters(parts.at(-1) ?? '');
    }
  }
  return parts;
}

/**
 * Splits a text into parts of at most `limit` billed characters, each as long as possible.
 * Cuts at ends of sentences, else between words, else between graphemes. Drops parts of only white space.
 */
export const splitSpeech = (text: string, limit: number): readonly string[] =>
  pack(text, limit, GRANULARITIES).filter((part) => part.trim() !== '');
