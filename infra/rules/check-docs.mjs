import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/*
 * Checks that files, folders, settings, metrics and commands named in documents exist, and that every setting is described.
 */

/** Names of other programs, and names that deliberately do not exist. */
const EXTERNAL_NAMES = new Set([
  ...['.mcp.json', 'mcp.json', 'receiver.mjs'],
  ...['ANTHROPIC_MODEL', 'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY', 'CACHE_REDIS_URL', 'CODEX_API_KEY'],
  ...['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', 'COPILOT_PROVIDER_BASE_URL', 'COPILOT_PROVIDER_API_KEY'],
  ...['OPENAI_HOST', 'ANTHROPIC_HOST', 'GOOGLE_HOST', 'OPENROUTER_HOST', 'LITELLM_HOST', 'XAI_HOST'],
  ...['models.json', 'token.js'],
]);
const EXCLUDED_FOLDERS = new Set(['node_modules', 'dist', 'generated', '__fixtures__', '.git', '.local', '.turbo']);
const SOURCE = /\.(ts|mts|mjs|sql|sh|yaml|prisma)$|(^|\/)(Dockerfile|\.env\.example)$/;
const FILE = /^[\w.@-]+(\/[\w.@-]+)*\.(ts|mts|mjs|js|json|ya?ml|sql|sh|md|prisma)$/;
const FOLDER = /^(?!\.)[\w.@-]+(\/[\w.@-]+)*\/$/;
/** Without a slash at its end, only what begins like a path of ours is one. */
const PATH = /^(apps|packages|infra|bench|docs)(\/[\w.@-]+)+$/;
const SETTING = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
const METRIC = /\bgateway_[a-z_]+[a-z]/g;

function scanRepository(root) {
  const exclude = (path) => EXCLUDED_FOLDERS.has(basename(path));
  const files = globSync(['**/*', '.*'], { cwd: root, exclude });
  const code = files.filter((file) => SOURCE.test(file) && statSync(join(root, file)).isFile());
  const text = code.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return {
    files,
    documents: files.filter((file) => file.endsWith('.md')),
    endings: new Set(files.flatMap((file) => file.split('/').map((_, at, parts) => parts.slice(at).join('/')))),
    settings: new Set(text.match(SETTING)),
    metrics: new Set(text.match(METRIC)),
    commands: Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts ?? {}),
  };
}

/** The headings of a page, as GitHub makes addresses of them. */
export const anchorsOf = (text) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function brokenLinks(root, document, text) {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  return targets
    .filter((target) => !/^\w+:/.test(target))
    .filter((target) => {
      const [path, anchor] = target.split('#');
      const page = path === '' ? join(root, document) : join(root, dirname(document), path);
      if (!existsSync(page)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(page, 'utf8')).includes(anchor);
    })
    .map((target) => `links to ${target}`);
}

const isPath = (word) =>
  (FILE.test(word) || FOLDER.test(word) || PATH.test(word)) &&
  !/^(dist\/|\.local\/|x\.)/.test(word) &&
  !EXTERNAL_NAMES.has(word);

/** Returns the unknown names among the inline code of a document. */
function unknownNames({ endings, settings, metrics, commands }, text) {
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
  const found = (pattern, known) =>
    spans.flatMap((span) => span.match(pattern) ?? []).filter((word) => !known.has(word) && !EXTERNAL_NAMES.has(word));
  const paths = spans.flatMap((span) => span.split(/\s+/)).filter(isPath);
  const commandNames = spans.flatMap((span) =>
    [...span.matchAll(/(?<!p)npm run ([a-z-]+)/g)].map(([, command]) => command),
  );
  return [
    ...paths.filter((path) => !endings.has(path.replace(/\/$/, ''))).map((path) => `names the path ${path}`),
    ...found(SETTING, settings).map((name) => `names the setting ${name}`),
    ...found(METRIC, metrics).map((name) => `names the metric ${name}`),
    ...commandNames.filter((name) => !commands.includes(name)).map((name) => `names the command npm run ${name}`),
  ];
}

const NAMED_TEST = /\| `([\w.-]+\.(?:spec|scenario)\.ts)`: ([^|]+) \|/g;

/** A cell such as `x.spec.ts`: does this. A file of that name must have a test of that title. */
function missingTests({ files }, root, text) {
  return [...text.matchAll(NAMED_TEST)]
    .filter(
      ([, name, title]) =>
        !files.some((file) => basename(file) === name && readFileSync(join(root, file), 'utf8').includes(title)),
    )
    .map(([, name, title]) => `names the test '${title}' of ${name}`);
}

/**
 * Every scenario needs a row in the README of tests/e2e, every package one in that of packages, every stage one in that of
 * its app, and every folder of the contracts one in theirs: most changes begin there.
 */
function missingRows(root) {
  const rows = [
    ...globSync('tests/e2e/*/*.scenario.ts', { cwd: root }).map((file) => ['tests/e2e/README.md', basename(file)]),
    ...globSync('packages/*/package.json', { cwd: root }).map((file) => [
      'packages/README.md',
      basename(dirname(file)),
    ]),
    ...globSync(['apps/*/src/*/', 'packages/contracts/src/*/'], { cwd: root })
      .map((folder) => folder.replace(/\/$/, ''))
      .filter((folder) => !folder.startsWith('apps/upstream-simulator/') && basename(folder) !== 'test-support')
      .map((folder) => [join(dirname(dirname(folder)), 'README.md'), `${basename(folder)}/`]),
  ];
  return rows
    .filter(([document, name]) => !readFileSync(join(root, document), 'utf8').includes(`\`${name}\``))
    .map(([document, name]) => `${document} has no row for ${name}`);
}

const DECISIONS = 'docs/decisions';

/** The list of decisions has each page once, by its title. */
function faultsOfDecisions(root) {
  const pages = globSync(`${DECISIONS}/[0-9]*.md`, { cwd: root });
  if (pages.length === 0) return [];
  const list = readFileSync(join(root, DECISIONS, 'README.md'), 'utf8');
  return pages
    .map((page) => `- [${/^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]}](${basename(page)})`)
    .filter((line) => list.split('\n').filter((listed) => listed === line).length !== 1)
    .map((line) => `${DECISIONS}/README.md does not have this line once: ${line}`);
}

const VENDORS_FILE = 'packages/contracts/src/jobs/sync-ticket.job.ts';
const VENDOR_HEADINGS = ['What we speak', 'Models and their ends', 'Sources', 'Known differences', 'Not confirmed'];
const MAX_VENDOR_LINES = 120;

/** Every vendor needs a page with the same headings: what we know of it, from where, and what is not confirmed. */
function faultsOfVendorPages(root) {
  const file = join(root, VENDORS_FILE);
  const list = existsSync(file) ? /VENDORS = \[([^\]]*)\]/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return [...(list ?? '').matchAll(/'(\w+)'/g)].flatMap(([, vendor]) => {
    const page = `docs/vendors/${vendor}.md`;
    if (!existsSync(join(root, page))) return [`${page} is missing`];
    const lines = readFileSync(join(root, page), 'utf8').split('\n');
    const missing = VENDOR_HEADINGS.filter((heading) => !lines.includes(`## ${heading}`));
    return [
      ...missing.map((heading) => `${page} has no heading '${heading}'`),
      ...(lines.length > MAX_VENDOR_LINES ? [`${page} has more than ${MAX_VENDOR_LINES} lines`] : []),
    ];
  });
}

const CONFIG = 'packages/config';
const VARIABLE = /^ {2,4}([A-Z][A-Z0-9_]+): /gm;

/** Every variable of a service's schema is described, as operators read the page and not the schema. */
function faultsOfSettings(root) {
  const files = globSync(`${CONFIG}/src/*.ts`, { cwd: root }).filter((file) => !file.endsWith('.spec.ts'));
  const text = existsSync(join(root, CONFIG)) ? readFileSync(join(root, CONFIG, 'README.md'), 'utf8') : '';
  const variables = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(VARIABLE)].map(([, name]) => name),
  );
  const described = new Set(text.match(/[A-Z][A-Z0-9_]+/g));
  return [...new Set(variables)]
    .filter((name) => !described.has(name))
    .map((name) => `${CONFIG}/README.md does not describe ${name}`);
}

const CLIENTS_PAGE = 'docs/how-to/use-client-libraries.md';
const PACKAGE = /^(@[\w-]+\/[\w-]+|openai)$/;
const spansOf = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, span]) => span);

/** Every row of the table of clients names scenarios that exist and import its packages, unless a person ran it. */
function faultsOfClients(root) {
  if (!existsSync(join(root, CLIENTS_PAGE))) return [];
  const rows = [...readFileSync(join(root, CLIENTS_PAGE), 'utf8').matchAll(/^\| (?!---|library )(.+) \|$/gm)];
  const faults = rows.flatMap(([, row]) => {
    const cells = row.split(' | ');
    const runBy = cells.at(-1);
    if (runBy === 'by hand') return [];
    const files = spansOf(runBy).map((name) => [name, globSync(`tests/e2e/*/${name}{.scenario,}.ts`, { cwd: root })]);
    const code = files.flatMap(([, paths]) => paths.map((path) => readFileSync(join(root, path), 'utf8'))).join('\n');
    return [
      ...(files.length === 0 ? [`has no test for ${cells[0]}`] : []),
      ...files.filter(([, paths]) => paths.length === 0).map(([name]) => `names the scenario ${name}`),
      ...spansOf(cells[0])
        .filter((name) => PACKAGE.test(name) && !code.includes(`from '${name}'`))
        .map((name) => `says that ${runBy} imports ${name}`),
    ];
  });
  return faults.map((fault) => `${CLIENTS_PAGE} ${fault}, which is not so`);
}

/** Returns one sentence for each missing thing that a document names, and for each missing row. */
export function faultsOfDocuments(root) {
  const known = scanRepository(root);
  const untrue = known.documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const faults = [
      ...brokenLinks(root, document, text),
      ...unknownNames(known, text),
      ...missingTests(known, root, text),
    ];
    return faults.map((fault) => `${document} ${fault}, which is not there`);
  });
  return [
    ...untrue,
    ...missingRows(root),
    ...faultsOfDecisions(root),
    ...faultsOfVendorPages(root),
    ...faultsOfSettings(root),
    ...faultsOfClients(root),
  ];
}

if (process.argv[1] === import.meta.filename) {
  const faults = faultsOfDocuments(process.cwd());
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
