import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * What the import rules cannot see: files that must be there, and imports that hide in a type.
 */

const PROTOCOL_HOME = 'packages/upstreams/src';
const PROTOCOL_WORDS = 'packages/contracts/src/models/chat-model-traits.ts';
const PROTOCOL_FILES = ['wire.ts', 'request.ts', 'response.ts', 'stream.ts', 'errors.ts', 'index.ts'];

const isFilledFolder = (path) => existsSync(path) && readdirSync(path).length > 0;

/** The words of the union of protocols, read from where it is written down. */
function protocolWords(root) {
  const list = /CHAT_PROTOCOL_IDS\s*=\s*\[([^\]]*)\]/.exec(readFileSync(join(root, PROTOCOL_WORDS), 'utf8'));
  return list === null ? [] : [...list[1].matchAll(/'([^']+)'/g)].map((match) => match[1]);
}

function faultsOfProtocol(root, name) {
  const folder = join(PROTOCOL_HOME, name);
  if (!existsSync(join(root, folder))) return [`${folder} is missing, though ${PROTOCOL_WORDS} names the protocol`];
  return [
    ...PROTOCOL_FILES.filter((file) => !existsSync(join(root, folder, file))).map(
      (file) => `${folder}/${file} is missing`,
    ),
    ...(isFilledFolder(join(root, folder, '__fixtures__')) ? [] : [`${folder}/__fixtures__ has nothing in it`]),
  ];
}

function faultsOfProtocols(root) {
  const words = protocolWords(root);
  const spoken = readdirSync(join(root, PROTOCOL_HOME)).filter((name) =>
    existsSync(join(root, PROTOCOL_HOME, name, 'wire.ts')),
  );
  return [
    ...(words.length === 0 ? [`${PROTOCOL_WORDS} has no CHAT_PROTOCOL_IDS`] : []),
    ...words.flatMap((word) => faultsOfProtocol(root, word)),
    ...spoken
      .filter((name) => !words.includes(name))
      .map((name) => `${PROTOCOL_HOME}/${name} speaks a protocol that ${PROTOCOL_WORDS} does not name`),
  ];
}

/** `import('x').T` as a type is invisible to the import rules, so it is written as an import of a type. */
function hiddenImports(root) {
  const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: root }).filter(
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

/** All that is wrong with the folders of a project, one sentence each. */
export const faultsOfShape = (root) => [...faultsOfProtocols(root), ...hiddenImports(root), ...missingReadmes(root)];

if (process.argv[1] === import.meta.filename) {
  const faults = faultsOfShape(process.cwd());
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
