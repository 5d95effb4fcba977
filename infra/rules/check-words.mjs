import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/*
 * Words of the private dialect that this code base was first written in. Each has one standard term instead, so that a
 * newcomer can search for what the field calls it.
 */

/** Word (or words that one row covers) and its standard term. */
const STANDARD_TERMS = {
  'tell tells told telling': 'report, publish, notify or log',
  'hear hears heard hearing': 'receive or subscribe',
  'whoever whomever nobody': 'the name of the actor',
  'wish wishes wished': 'request, option or spec',
  'doubt doubts doubted': 'miss, unknown or ambiguous',
  ill: 'unhealthy',
  'door doors': 'resource, port or package',
  'lane lanes': 'adapter, pass-through or translation',
  'shelf shelves shelve shelved': 'store or buffer',
  purse: 'mode',
  'dear dearer': 'expensive',
  seldom: 'rarely',
  'leftover leftovers': 'orphan',
  whereabouts: 'lookup result',
  'persona personas': 'vendor emulator',
  'disown disowned': 'cancel',
  'picture pictures': 'image',
};

/** Names that other systems or stored data fix: wire formats, tables, metrics, vendors' words. */
const FIXED_NAMES = [
  /\bwebhook_lanes?\b/g,
  /place(=~?|: )["']door["']|'door', 'head', 'stream'/g,
  /\bgateway_video_disowned_total\b/g,
  // Columns.
  /\bdoubt(s|ed_at)\b/g,
  // A value of the metric's label `place`.
  /before admission \(door\)/g,
  // The simulator's directive.
  /\bpicture_bytes\b/g,
  // The stored actor of an audit entry without one.
  /'nobody'(?=;|\] as const|, accountId: null|, 'account\.|, action)|\bnobody(?=: t`)/g,
  // A Unix user.
  /'postgres', 'nobody'/g,
];

const EXCLUDED_FOLDERS = new Set([
  ...['node_modules', 'dist', 'generated', '__fixtures__', '.git', '.local', '.turbo', 'golden', 'assets'],
  'experiments',
]);
const FILES = '**/*.{ts,tsx,mts,mjs,md,lua,yaml,yml,sh}';
/** The rule itself and what proves it name the words. */
const EXCLUDED_FILES = new Set([
  ...['check-words.mjs', 'check-words.spec.mjs', 'pnpm-lock.yaml'],
  // Old names in databases that are taken over.
  ...['adopt-database.ts', 'apply-migrations.int.spec.ts'],
]);

const TERM_OF = new Map(
  Object.entries(STANDARD_TERMS).flatMap(([words, term]) => words.split(' ').map((word) => [word, term])),
);

/** `shelvedAnswer`, `SHELVED_ANSWER` and `shelved-answer` are two words each. */
const wordsIn = (line) =>
  line
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z']+/)
    .map((word) => word.replaceAll(/^'+|'+$/g, ''));

/** One sentence for each word of the dialect in a text: `file:line says "lane", say adapter …`. */
export function dialectIn(file, text) {
  return text.split('\n').flatMap((line, index) => {
    const checked = FIXED_NAMES.reduce((rest, name) => rest.replaceAll(name, ''), line);
    const found = new Set(wordsIn(checked).filter((word) => TERM_OF.has(word)));
    return [...found].map((word) => `${file}:${index + 1} uses "${word}": use ${TERM_OF.get(word)}`);
  });
}

export function dialectOf(root) {
  const exclude = (path) => EXCLUDED_FOLDERS.has(basename(path));
  return globSync(FILES, { cwd: root, exclude })
    .filter((file) => !EXCLUDED_FILES.has(basename(file)))
    .flatMap((file) => [...dialectIn(file, file), ...dialectIn(file, readFileSync(join(root, file), 'utf8'))]);
}

if (process.argv[1] === import.meta.filename) {
  const faults = dialectOf(process.cwd());
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
