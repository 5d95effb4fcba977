import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What the import rules cannot see: files that must be there, and imports that hide in a type.
 */

const PROTOCOL_HOME = 'packages/upstreams/src';
const REGISTRY = `${PROTOCOL_HOME}/registry.ts`;
const CHAT_PROTOCOLS = 'packages/contracts/src/models/chat-model-traits.ts';
const PROTOCOL_FILES = ['wire.ts', 'request.ts', 'response.ts', 'errors.ts', 'index.ts'];

const MAX_ROOT_FILES = 8;
const ALWAYS_IN_ROOT = new Set(['main.ts', 'app.module.ts']);

const isFilledFolder = (path) => existsSync(path) && readdirSync(path).length > 0;

const wordsIn = (text, pattern) => [...(text ?? '').matchAll(pattern)].map((match) => match[1]);

/** The protocols that the registry offers, and those of them that stream because they chat. */
function knownProtocols(root) {
  const chatIds = /CHAT_PROTOCOL_IDS\s*=\s*\[([^\]]*)\]/.exec(readFileSync(join(root, CHAT_PROTOCOLS), 'utf8'))?.[1];
  return {
    registered: wordsIn(readFileSync(join(root, REGISTRY), 'utf8'), /from '\.\/([a-z-]+)\/index\.js'/g),
    chatting: wordsIn(chatIds, /'([^']+)'/g),
  };
}

function missingFiles(root, protocol, isChatting) {
  const folder = join(PROTOCOL_HOME, protocol);
  const required = [...PROTOCOL_FILES, ...(isChatting ? ['stream.ts'] : [])];
  return [
    ...required.filter((file) => !existsSync(join(root, folder, file))).map((file) => `${folder}/${file} is missing`),
    ...(isFilledFolder(join(root, folder, '__fixtures__')) ? [] : [`${folder}/__fixtures__ is empty`]),
  ];
}

/** A folder with a wire format, and whatever the registry offers, is a protocol and has the files of one. */
function faultsOfProtocols(root) {
  const { registered, chatting } = knownProtocols(root);
  const folders = readdirSync(join(root, PROTOCOL_HOME));
  const implemented = folders.filter((name) => existsSync(join(root, PROTOCOL_HOME, name, 'wire.ts')));
  const unregistered = implemented.filter((name) => !registered.includes(name));
  return [
    ...[...new Set([...registered, ...implemented])].flatMap((name) =>
      missingFiles(root, name, chatting.includes(name)),
    ),
    ...unregistered.map((name) => `${PROTOCOL_HOME}/${name} has a protocol that is missing in ${REGISTRY}`),
  ];
}

/** `import('x').T` as a type is invisible to the import rules, so it is written as an import of a type. */
function hiddenImports(root) {
  const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('/generated/'),
  );
  return files
    .filter((file) => /(?<!await |return |=> )\bimport\('[^']+'\)\.[A-Z]/.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => `${file} takes a type with import('…'): write \`import type\` instead`);
}

function missingReadmes(root) {
  const parts = globSync('{apps,packages}/*/package.json', { cwd: root }).map((file) =>
    file.replace('/package.json', ''),
  );
  return parts
    .filter((part) => !existsSync(join(root, part, 'README.md')))
    .map((part) => `${part}/README.md is missing`);
}

/** The root of an app is its table of contents: files of a stage lie in the folder of that stage. */
function crowdedRoots(root) {
  return globSync('apps/*/src', { cwd: root }).flatMap((folder) => {
    const files = globSync('*.ts', { cwd: join(root, folder) }).filter(
      (file) => !file.endsWith('.spec.ts') && !ALWAYS_IN_ROOT.has(file),
    );
    if (files.length <= MAX_ROOT_FILES) return [];
    return [`${folder} has ${files.length} files: at most ${MAX_ROOT_FILES} beside main.ts and app.module.ts`];
  });
}

/** Faults in the folders of a project, one sentence each. */
export const faultsOfShape = (root) => [
  ...faultsOfProtocols(root),
  ...hiddenImports(root),
  ...missingReadmes(root),
  ...crowdedRoots(root),
];

if (process.argv[1] === import.meta.filename) {
  const faults = faultsOfShape(process.cwd());
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
