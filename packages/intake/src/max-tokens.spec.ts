import { estimateTokens, textSize } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { maxTokensOf, maxTokensOfText } from './max-tokens.js';

const LENGTH = 3_000;
/** Densest text may need this many times its hold. */
const SLACK = 1.25;

/** The same numbers in every run. */
function numbersBelow(most: number): () => number {
  let state = 20_261_122;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 0x1_00_00_00_00) * most);
  };
}

function randomOf(alphabet: readonly string[], length = LENGTH): string {
  const next = numbersBelow(alphabet.length);
  return Array.from({ length }, () => alphabet[next()]).join('');
}
const randomIn = (...[first, last]: readonly [number, number]): string =>
  randomOf(Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)));
const spaced = (text: string, size: number): string => text.match(new RegExp(`.{${size}}`, 'gu'))?.join(' ') ?? '';

const LOWER = [...'abcdefghijklmnopqrstuvwxyz'];
const UPPER = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const DIGITS = [...'0123456789'];
const HEX = [...'0123456789abcdef'];

/** What a customer may send to have many tokens in few bytes. */
const DENSE: readonly (readonly [what: string, text: string])[] = [
  ['digits', randomOf(DIGITS)],
  ['single digits', spaced(randomOf(DIGITS), 1)],
  ['decimals', spaced(randomOf([...DIGITS, '.', ',']), 6)],
  ['hexadecimal', randomOf(HEX)],
  [
    'base64',
    Buffer.from(randomOf(Array.from({ length: 256 }, (_, at) => String.fromCharCode(at))), 'latin1').toString('base64'),
  ],
  ['lower-case letters', randomOf(LOWER)],
  ['capitals', randomOf(UPPER)],
  ['letters of both cases', randomOf([...LOWER, ...UPPER])],
  ['syllables', randomOf(['ba', 'ce', 'di', 'fo', 'gu', 'ky', 'le', 'mi', 'no', 'pu', 'ra', 'vo', 'wi', 'xe', 'zu'])],
  ['single letters', spaced(randomOf(LOWER), 1)],
  ['short words', spaced(randomOf(LOWER), 3)],
  ['words', spaced(randomOf(LOWER), 5)],
  ['punctuation', randomOf([...'!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'])],
  ['letters and punctuation', randomOf([...LOWER, ...'.,;:!?'])],
  ['printable ASCII', randomIn(32, 126)],
  ['ASCII', randomIn(0, 127)],
  ['controls', randomIn(0, 31)],
  ['white space', randomOf([' ', '\n', '\t', '\r'])],
  ['Latin letters with marks', randomIn(0xc0, 0x17f)],
  ['combining marks', spaced(randomIn(0x300, 0x36f), 2)],
  ['Greek', randomIn(0x391, 0x3c9)],
  ['Cyrillic', randomIn(0x410, 0x44f)],
  ['Hebrew', randomIn(0x5d0, 0x5ea)],
  ['Arabic', randomIn(0x621, 0x64a)],
  ['Devanagari', randomIn(0x900, 0x97f)],
  ['Tamil', randomIn(0xb80, 0xbff)],
  ['Thai', randomIn(0xe01, 0xe3a)],
  ['Tibetan', randomIn(0xf00, 0xfbf)],
  ['Ethiopic', randomIn(0x1200, 0x137f)],
  ['kana', randomIn(0x3041, 0x3096)],
  ['ideographs', randomIn(0x4e00, 0x9fa5)],
  ['Hangul', randomIn(0xac00, 0xd7a3)],
  ['private characters', randomIn(0xe000, 0xf8ff)],
  ['emoji', randomIn(0x1f300, 0x1f64f)],
  ['rare ideographs', randomIn(0x20000, 0x2a6d6)],
  ['variation selectors', randomIn(0xe0100, 0xe01ef)],
];

const USUAL: readonly (readonly [what: string, text: string])[] = [
  [
    'English',
    'The council met on Tuesday evening to discuss whether the old library should be repaired or replaced. Several ' +
      'residents spoke in favour of keeping it, and said that the building reminded them of their childhood.',
  ],
  [
    'German',
    'Künstliche Intelligenz verändert unsere Lebensweise. Große Sprachmodelle können natürliche Sprache verstehen ' +
      'und erzeugen, und sie werden häufig eingesetzt.',
  ],
  ['Chinese', '人工智能正在改变我们的生活方式。大型语言模型可以理解和生成自然语言文本，广泛应用于翻译、写作和编程。'],
  ['Hindi', 'कृत्रिम बुद्धिमत्ता हमारे जीवन के तरीके को बदल रही है। बड़े भाषा मॉडल भाषा को समझ सकते हैं।'],
  ['Arabic', 'الذكاء الاصطناعي يغير طريقة حياتنا. يمكن لنماذج اللغة الكبيرة فهم اللغة الطبيعية وتوليدها.'],
  ['code', maxTokensOfText.toString() + maxTokensOf.toString()],
];

/** The higher count of two vocabularies. */
const tokensOf = (text: string): number => Math.max(encodeO200k(text).length, encodeCl100k(text).length);

describe('maxTokensOfText', () => {
  it.each(DENSE)('covers %s within its slack', (_what, text) => {
    expect(maxTokensOfText(text) * SLACK).toBeGreaterThanOrEqual(tokensOf(text));
  });

  it.each(USUAL)('covers %s, and stays near it', (_what, text) => {
    expect(maxTokensOfText(text)).toBeGreaterThanOrEqual(tokensOf(text));
    expect(maxTokensOfText(text)).toBeLessThanOrEqual(2.75 * tokensOf(text));
  });

  it('counts a token for each digit, as Gemini and Qwen do', () => {
    expect(maxTokensOfText('1234567890')).toBe(13);
  });

  it.each(['', 'a', '\ud83d', '字', '\u{1f600}'])('counts at most the bytes of %p, and nothing of nothing', (text) => {
    expect(maxTokensOfText(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
  });

  it.each([255, 256, 257, 65_535, 65_536, 65_537, 131_073])('counts %p units as it counts each of them', (length) => {
    for (const alphabet of [
      ['a', 'Z', '7', ' ', '\n'],
      [...'aé字', '\ud83d', ' '],
      [...'\u0000~', '\u007f'],
    ]) {
      const text = randomOf(alphabet, length);
      const perTwenty = new Map(alphabet.map((unit) => [unit, maxTokensOfText(unit.repeat(20))]));
      const twentieths = [...text].reduce((sum, unit) => sum + (perTwenty.get(unit) ?? Number.NaN), 0);
      expect(maxTokensOfText(text)).toBe(Math.ceil(twentieths / 20));
    }
  });

  it('stops above the limit', () => {
    expect(maxTokensOfText('a'.repeat(1_000_000), 1_000)).toBe(32_768);
  });
});

describe('maxTokensOf', () => {
  it('adds texts up to the limit', () => {
    expect(maxTokensOf(['aa', 'aaaa'])).toBe(3);
    expect(maxTokensOf(['aaaa', 'aaaa', 'aaaa'], 3)).toBe(4);
  });
});

/** What a request is charged by if its vendor's counts never arrive. */
describe('estimateTokens of textSize', () => {
  const estimateOf = (text: string): number => estimateTokens(textSize(text));

  it.each(DENSE)('has at least a third of the tokens of %s', (_what, text) => {
    expect(3 * estimateOf(text)).toBeGreaterThanOrEqual(encodeO200k(text).length);
  });

  it.each(DENSE.slice(0, 7))('has at least six tenths of the tokens of %s', (_what, text) => {
    expect(estimateOf(text)).toBeGreaterThanOrEqual(0.6 * encodeO200k(text).length);
  });

  it.each(USUAL)('covers %s, and stays near it', (_what, text) => {
    expect(estimateOf(text)).toBeGreaterThanOrEqual(encodeO200k(text).length);
    expect(estimateOf(text)).toBeLessThanOrEqual(2.5 * encodeO200k(text).length);
    expect(estimateOf(text)).toBeLessThanOrEqual(maxTokensOfText(text));
  });

  it('is about a quarter of the bytes of English', () => {
    const [, english = ''] = USUAL[0] ?? [];
    expect(estimateOf(english)).toBeLessThanOrEqual(1.05 * (Buffer.byteLength(english) / 4));
  });

  it('counts a token for each digit', () => {
    expect(estimateOf('1234567890')).toBe(10);
  });

  it('measures text beyond every context window by its bytes', () => {
    const most = 4 * 1024 * 1024;
    expect(textSize(`${'a'.repeat(most)}11`)).toBe(most + 2);
    expect(textSize(`${'a'.repeat(most - 2)}11`)).toBe(most + 6);
  });
});
