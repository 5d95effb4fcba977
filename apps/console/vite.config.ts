import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { lingui } from '@lingui/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The path of the console on the account address. */
const BASE = '/console/';

const COMPRESSED = /\.(js|css|html|svg)$/;

/** Writes a Brotli twin of each text file, so that the server compresses nothing. */
const compress = (): Plugin => ({
  name: 'compress',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const files = (await readdir(dir, { recursive: true })).filter((file) => COMPRESSED.test(file));
    const write = async (file: string) =>
      writeFile(join(dir, `${file}.br`), await promisify(brotliCompress)(await readFile(join(dir, file))));
    await Promise.all(files.map(write));
  },
});

export default defineConfig({
  base: BASE,
  plugins: [
    react(),
    lingui({ cwd: import.meta.dirname, macroTransform: true, failOnMissing: true, failOnCompileError: true }),
    tailwindcss(),
    compress(),
  ],
  build: {
    // Browsers that know `light-dark()`, which the tokens use.
    target: ['chrome125', 'firefox126', 'safari18'],
    manifest: true,
    // A data address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
