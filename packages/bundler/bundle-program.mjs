import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { keepPlaces, PLACES } from './keep-places.mjs';
import { mapOfLines } from './map-of-lines.mjs';
import { inPlainCharacters } from './plain-characters.mjs';
import { withYoungFunctions } from './young-functions.mjs';

/** NestJS asks for these, and does without them. */
const OPTIONAL = [
  /^@nestjs\/(microservices|websockets|platform-express)(\/|$)/,
  /^class-(transformer|validator)(\/|$)/,
  '@fastify/multipart',
];

const isOurs = (id) => !id.includes('/node_modules/') || /\/node_modules\/@gateway\/[^/]+\/dist\//.test(id);

/** Passes on the maps that the compiler wrote, so that an error names a line of TypeScript. */
const readMaps = {
  name: 'read-maps',
  load: {
    filter: { id: /\/dist\/.*\.js$/ },
    handler(id) {
      const map = `${id}.map`;
      if (!isOurs(id) || !existsSync(map)) return null;
      return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(map, 'utf8')) };
    },
  },
};

function onLog(level, { code, message }) {
  // A library's own `eval`.
  if (level === 'warn' && code !== 'EVAL') throw new Error(message);
}

/** Node reads a map whole at the first error. That of all libraries would stop a process for a quarter of a second. */
const hasMap = ({ type, map, moduleIds }) => type === 'chunk' && map !== null && moduleIds.some(isOurs);

function write(folder, chunk) {
  const file = join(folder, chunk.fileName);
  const code = inPlainCharacters(withYoungFunctions(chunk.code));
  if (!hasMap(chunk)) return writeFileSync(file, code);
  writeFileSync(`${file}.map`, JSON.stringify(mapOfLines(chunk.map)));
  writeFileSync(file, `${code}\n//# sourceMappingURL=${chunk.fileName}.map\n`);
}

/**
 * Writes `dist/bundle/main.js` of the service in `home`, with all that `dist/main.js` imports. Libraries are `libraries.js`
 * beside it. What is imported later stays a file of its own. Throws if a module is missing.
 */
export async function bundleProgram(home) {
  const folder = join(home, 'dist/bundle');
  const build = await rolldown({
    input: join(home, 'dist/main.js'),
    platform: 'node',
    tsconfig: false,
    external: OPTIONAL,
    plugins: [readMaps, keepPlaces(folder)],
    onLog,
  });
  const { output } = await build.generate({
    dir: folder,
    format: 'esm',
    banner: PLACES,
    // Errors and injected classes are known by their names.
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'libraries', tags: ['$initial'], test: (id) => !isOurs(id) }] },
  });
  await build.close();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const chunks = output.filter(({ type }) => type === 'chunk');
  for (const chunk of chunks) write(folder, chunk);
}
