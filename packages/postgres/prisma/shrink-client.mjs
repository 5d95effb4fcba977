import { readFileSync, writeFileSync } from 'node:fs';
import { renumberNames } from './renumber-names.mjs';

const FILE = new URL('../src/generated/internal/class.ts', import.meta.url);
const SCHEMA = /(strings: JSON\.parse\()(".*")(\),\s*graph: ")([\w-]+)"/;

/** Prisma imports the compiler as a module of base64: its source and the constant in it would stay in the heap. */
const WASM_IMPORT = /const \{ wasm \} = await import\("(@prisma\/client\/runtime\/[\w.]+)\.wasm-base64\.mjs"\)/;
const wasmRead = (module) => `const { createRequire } = await import('node:module')
    const { readFile } = await import('node:fs/promises')
    const file = createRequire(import.meta.url).resolve("${module}.wasm-base64.js")
    const wasm = /"([A-Za-z0-9+/=]{1000,})"/.exec(await readFile(file, 'latin1'))?.[1]
    if (wasm === undefined) throw new Error(file + ' holds no base64')`;

/** Runs after `prisma generate`: each process with a database saves 22 MB. */
const text = readFileSync(FILE, 'utf8');
const found = SCHEMA.exec(text);
if (found === null) throw new Error("Prisma's client has no parameterizationSchema: remove shrink-client.mjs");
const [all, before, strings, between, graph] = found;
const renumbered = renumberNames({ strings: JSON.parse(JSON.parse(strings)), graph });
const [wasmImport, wasmModule] = WASM_IMPORT.exec(text) ?? [];
if (wasmImport === undefined) throw new Error("Prisma's client imports its compiler otherwise: remove WASM_IMPORT");
const literal = JSON.stringify(JSON.stringify(renumbered.strings));
writeFileSync(
  FILE,
  text
    .replace(all, () => `${before}${literal}${between}${renumbered.graph}"`)
    .replace(wasmImport, () => wasmRead(wasmModule)),
);
