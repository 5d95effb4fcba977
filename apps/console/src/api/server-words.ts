/** The words of the server in another language. */
export interface ServerWords {
  /** By its words in English; `{}` stands for what differs. */
  readonly texts: Readonly<Record<string, string>>;
  /** What each code means, before words that are not known. */
  readonly codes: Readonly<Record<string, string>>;
}

/** What a refusal says, or the words that a task or a batch keeps about its end. */
interface Refusal {
  readonly message: string;
  readonly code?: string;
}

const GAP = '{}';
const FIELD = /^[\w.[\]]+: /;
const SPECIAL = /[.*+?^$()|[\]\\]/g;

type Pattern = readonly [words: RegExp, translation: string];

/** Words without gaps come first: `There is no such {}.` would take a more exact text away. */
const patternsOf = (texts: ServerWords['texts']): readonly Pattern[] =>
  Object.entries(texts)
    .sort(([one], [other]) => other.replaceAll(GAP, '').length - one.replaceAll(GAP, '').length)
    .map(([words, text]) => [new RegExp(`^${words.replace(SPECIAL, '\\$&').replaceAll(GAP, '(.*)')}$`, 's'), text]);

/** Says a refusal in the language of these words: exactly, or what its code means and the English words. */
export function makeTranslator({ texts, codes }: ServerWords): (refusal: Refusal) => string {
  const patterns = patternsOf(texts);
  return ({ message, code = '' }) => {
    const [field = ''] = FIELD.exec(message) ?? [];
    const words = message.slice(field.length);
    for (const [pattern, text] of patterns) {
      const found = pattern.exec(words);
      if (found === null) continue;
      const gaps = found.slice(1);
      return field + text.replaceAll(GAP, () => gaps.shift() ?? '');
    }
    return codes[code] === undefined ? message : `${codes[code]}（${message}）`;
  };
}

const inEnglish = ({ message }: Refusal): string => message;

let translate = inEnglish;

/** Called with each choice of a language. Undefined: English, as the server speaks. */
export function setServerWords(words: ServerWords | undefined): void {
  translate = words === undefined ? inEnglish : makeTranslator(words);
}

/** What the server said, in the language of the page. */
export const serverSays = (refusal: Refusal): string => translate(refusal);
