import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const node = promisify(execFile).bind(undefined, process.execPath);
// In a process of its own: the bundler knows no arrays of another realm.
const bundle = () => node([join(import.meta.dirname, 'bundle-service.mjs'), home], { env: {} });

let home;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'a bundled service '));
  write({ 'package.json': '{"type": "module"}' });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

/** What the bundle prints, without the modules that it was made of. */
async function outputOf(files, options = []) {
  write(files);
  await bundle();
  for (const path of Object.keys(files).filter((path) => path.endsWith('.js'))) rmSync(join(home, path));
  const { stdout } = await node(['--enable-source-maps', ...options, join(home, 'dist/bundle/main.js')], { env: {} });
  return stdout.trim();
}

const installed = (code) => ({
  'node_modules/library/package.json': '{"name": "library", "main": "lib/index.js"}',
  'node_modules/library/lib/index.js': code,
});

/** A template of the bundled code. */
const TEMPLATE = ['`$', '{é}–`'].join('');

describe('a bundled module', () => {
  it('reads what lies beside its own file', async () => {
    const files = {
      'dist/main.js': "import './deep/part.js';",
      'dist/deep/part.js': `import { readFileSync } from 'node:fs';
        console.log(readFileSync(new URL('../../text', import.meta.url), 'utf8'), import.meta.dirname);`,
      text: 'found',
    };
    expect(await outputOf(files)).toBe(`found ${join(home, 'dist/deep')}`);
  });

  it('may have any names of its own', async () => {
    const files = {
      'dist/main.js': "const placeOf = 'mine'; const join = 1; console.log(placeOf + join, import.meta.filename);",
    };
    expect(await outputOf(files)).toBe(`mine1 ${join(home, 'dist/main.js')}`);
  });

  it('of a library finds what lies beside it', async () => {
    const files = {
      'dist/main.js': "import text from 'library'; console.log(text);",
      ...installed("module.exports = require('node:fs').readFileSync(__dirname + '/text', 'utf8') + __filename;"),
      'node_modules/library/lib/text': 'found ',
    };
    expect(await outputOf(files)).toBe(`found ${join(home, 'node_modules/library/lib/index.js')}`);
  });

  it('finds the files of a package by its name', async () => {
    const files = {
      'dist/main.js': "console.log(import.meta.resolve('library/package.json'));",
      ...installed(''),
    };
    expect(new URL(await outputOf(files)).pathname).toContain('/node_modules/library/package.json');
  });

  it('that declares its own folder keeps it', async () => {
    const files = {
      'dist/main.js': "import folder from 'library'; console.log(folder);",
      ...installed("const __dirname = 'mine'; export default __dirname;"),
    };
    expect(await outputOf(files)).toBe('mine');
  });

  it('is written in ASCII, and says the same', async () => {
    const files = {
      'dist/main.js': String.raw`import text from 'library';
        const é = '… \… \\… 😀';
        console.log(text, é, ${TEMPLATE}, /^[а-я]$/.test('ж'), /^\p{Lu}😀$/u.test('Ж😀'), { '“': 1 }['“']);`,
      ...installed("module.exports = 'pino – redact';"),
    };
    const said = await outputOf(files);
    expect(said).toBe(String.raw`pino – redact … … \… 😀 … … \… 😀– true true 1`);
    for (const file of ['main.js', 'libraries.js'])
      expect(readFileSync(join(home, 'dist/bundle', file), 'utf8')).toMatch(/^[\t\n\r -~]*$/);
  });

  it('is refused if an escape would change it', async () => {
    write({ 'dist/main.js': 'console.log(String.raw`…`);' });
    await expect(bundle()).rejects.toThrow(/String\.raw/);
  });

  it('keeps the names of its classes', async () => {
    const files = {
      'dist/main.js': `import { other } from './other.js';
        class Same extends Error {}
        console.log(Same.name, other.name, new Same() instanceof other);`,
      'dist/other.js': 'class Same extends Error {} export const other = Same;',
    };
    expect(await outputOf(files)).toBe('Same Same false');
  });

  it('allocates functions that it assigns to properties in the young generation', async () => {
    const files = {
      'dist/main.js': `import { make } from 'library';
        const isYoung = new Function('made', 'return %InYoungGeneration(made)');
        const box = {};
        box.mine = function () { return this === box; };
        box.both = () => (box.inner = async () => 'inner');
        box.late ??= (() => 1);
        class Request { #end; constructor() { this.#end = () => this; } get end() { return this.#end; } }
        const assigned = [box.mine, box.both, box.both(), box.late, make().run, new Request().end];
        console.log(assigned.map(isYoung).join(), box.mine(), await box.inner(), box.mine.name === '');`,
      ...installed('exports.make = () => { const made = {}; made.run = () => made; return made; };'),
    };
    expect(await outputOf(files, ['--allow-natives-syntax'])).toBe('true,true,true,true,true,true true inner true');
  });

  it('that is imported later is loaded later', async () => {
    const files = {
      'dist/main.js': "console.log('first'); await import('./later.js');",
      'dist/later.js': "console.log('later');",
    };
    expect(await outputOf(files)).toBe('first\nlater');
  });
});

describe('a bundle', () => {
  it('maps errors to the lines of our sources, and has no map of libraries', async () => {
    // One line of the program is the third of its source.
    const map = { version: 3, sources: ['../src/main.ts'], names: [], mappings: 'AAEA' };
    const files = {
      'dist/main.js': "import 'library'; console.log(new Error('here').stack);\n//# sourceMappingURL=main.js.map\n",
      'dist/main.js.map': JSON.stringify(map),
      ...installed('globalThis.isLoaded = true;'),
    };
    expect(await outputOf(files)).toContain(`${join(home, 'src/main.ts')}:3:`);
    expect(JSON.parse(readFileSync(join(home, 'dist/bundle/main.js.map'), 'utf8')).mappings).toMatch(/^;*[^;,]*;*$/);
    expect(existsSync(join(home, 'dist/bundle/libraries.js'))).toBe(true);
    expect(existsSync(join(home, 'dist/bundle/libraries.js.map'))).toBe(false);
  });

  it('is not made without a module that it imports', async () => {
    write({ 'dist/main.js': "import 'missing-library';" });
    await expect(bundle()).rejects.toThrow(/missing-library/);
  });
});
