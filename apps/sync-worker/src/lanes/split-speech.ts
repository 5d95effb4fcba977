import { countSpeechCharacters } from '@gateway/contracts';

type Granularity = Intl.SegmenterOptions['granularity'];

const cutBy = (text: string, granularity: NonNullable<Granularity>): string[] =>
  Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment);

/** From the best place to pause to the worst; a single character is never cut. */
const FINER: readonly NonNullable<Granularity>[] = ['sentence', 'word', 'grapheme'];

function pack(text: string, limit: number, [granularity, ...finer]: typeof FINER): readonly string[] {
  if (granularity === undefined || countSpeechCharacters(text) <= limit) return [text];
  const parts: string[] = [];
  let characters = limit;
  for (const piece of cutBy(text, granularity)) {
    const more = countSpeechCharacters(piece);
    if (characters + more <= limit) {
      parts[parts.length - 1] += piece;
      characters += more;
    } else if (more <= limit) {
      parts.push(piece);
      characters = more;
    } else {
      parts.push(...pack(piece, limit, finer));
      characters = countSpeechCharacters(parts.at(-1) ?? '');
    }
  }
  return parts;
}

/**
 * A text in parts of at most `limit` billed characters, each as long as it may be, cut at the ends of sentences where they
 * allow it, else between words, else between characters. Nothing is lost but parts in which there is nothing to say.
 */
export const splitSpeech = (text: string, limit: number): readonly string[] =>
  pack(text, limit, FINER).filter((part) => part.trim() !== '');
