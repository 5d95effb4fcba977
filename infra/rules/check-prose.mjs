import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/*
 * How long the sentences are that people read: documents, and comments in code. Short sentences need one reading.
 */

const LIMITS = { median: 13, p90: 24 };
const EXCLUDED_FOLDERS = new Set([
  'node_modules',
  'dist',
  'generated',
  '__fixtures__',
  '.git',
  '.local',
  '.turbo',
  'golden',
]);
const SHOWN = 10;

const GROUPS = {
  documents: { files: ['*.md', '{apps,packages,infra,bench,docs,tests}/**/*.md'], sentencesOf: sentencesOfDocument },
  comments: {
    files: ['{apps,packages,infra,bench,tests}/**/*.{ts,tsx,mts,mjs}'],
    sentencesOf: sentencesOfComments,
  },
};

const wordsIn = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** Code counts as one word, a link as its text. */
const plain = (text) =>
  text
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, 'link')
    .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '');

/** A sentence ends with its mark and a space. Abbreviations such as "e.g." end none. */
const split = (paragraph) =>
  plain(paragraph)
    .replaceAll(/\b(e\.g|i\.e|etc|vs|cf)\./g, '$1')
    .split(/(?<=[.!?])["')\]]*\s+(?=[\p{Lu}\p{N}"'([]|code)|\n{2,}/u)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => wordsIn(sentence) > 1);

/** Paragraphs and list items. Headings, tables and code blocks are no prose. */
export function sentencesOfDocument(text) {
  const prose = text
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/^\s*(#|\||>?\s*<\/?\w).*$/gm, '\n')
    .replaceAll(/^\s*([-*+]|\d+\.)\s+/gm, '\n\n')
    .replaceAll(/^>\s?/gm, '');
  return prose.split(/\n\s*\n/).flatMap(split);
}

/** Block comments and runs of line comments. */
export function sentencesOfComments(text) {
  const blocks = [...text.matchAll(/\/\*\*?([\s\S]*?)\*\//g)].map(([, body]) => body.replaceAll(/^\s*\* ?/gm, ''));
  const lines = [...text.matchAll(/(?:^[ \t]*\/\/(?!\/).*\n?)+/gm)].map(([run]) => run.replaceAll(/^\s*\/\/ ?/gm, ''));
  return [...blocks, ...lines]
    .filter((comment) => !/biome-ignore|@ts-|eslint|<reference/.test(comment))
    .flatMap((comment) => sentencesOfDocument(comment));
}

/** Words a sentence: `{ sentences, median, p90 }`. */
export function figuresOf(sentences) {
  const lengths = sentences.map(wordsIn).sort((a, b) => a - b);
  const at = (share) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  return { sentences: lengths.length, median: at(0.5), p90: at(0.9) };
}

export const isTooLong = ({ median, p90 }) => median > LIMITS.median || p90 > LIMITS.p90;

function measure(root, { files, sentencesOf }) {
  const exclude = (path) => EXCLUDED_FOLDERS.has(basename(path));
  const found = globSync(files, { cwd: root, exclude }).flatMap((file) =>
    sentencesOf(readFileSync(join(root, file), 'utf8')).map((sentence) => ({ file, sentence })),
  );
  return { figures: figuresOf(found.map(({ sentence }) => sentence)), found };
}

function report(name, { figures, found }) {
  const { sentences, median, p90 } = figures;
  const lines = [`${name}: ${sentences} sentences, median ${median} words, p90 ${p90} words`];
  if (!isTooLong(figures)) return lines;
  const longest = found.sort((a, b) => wordsIn(b.sentence) - wordsIn(a.sentence)).slice(0, SHOWN);
  return [
    ...lines,
    `${name}: at most median ${LIMITS.median} and p90 ${LIMITS.p90}. The longest:`,
    ...longest.map(({ file, sentence }) => `  ${file} (${wordsIn(sentence)}): ${sentence}`),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const results = Object.entries(GROUPS).map(([name, group]) => [name, measure(process.cwd(), group)]);
  for (const [name, result] of results) process.stdout.write(`${report(name, result).join('\n')}\n`);
  process.exitCode = results.some(([, { figures }]) => isTooLong(figures)) ? 1 : 0;
}
