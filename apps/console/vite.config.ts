import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { lingui } from '@lingui/vite-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type Plugin } from 'vite';

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

type Messages = Readonly<Record<string, unknown>>;

async function englishMessages(): Promise<Messages> {
  const catalogs = await getCatalogs(getConfig({ cwd: import.meta.dirname }));
  const { messages } = (await catalogs[0]?.getTranslations('en', { sourceLocale: 'en', fallbackLocales: {} })) ?? {
    messages: {},
  };
  const { source } = createCompiledCatalog('en', messages, { namespace: 'json' });
  return (JSON.parse(source) as { readonly messages: Messages }).messages;
}

/** What the macros leave of a message: its id, six letters of URL-safe base64. */
const MESSAGE_ID = /\bid: ?"([\w-]{6})"/g;

/**
 * Puts the English messages of a module beside its code, so that each page loads its own. Other languages are files.
 * The build fails for a message that stands nowhere: the page would show its id.
 */
const englishBesideCode = (): Plugin => {
  let english: Promise<Messages> | undefined;
  const placed = new Set<string>();
  return {
    name: 'english-beside-code',
    enforce: 'post',
    transform: async (code, id) => {
      if (!/\/src\/.*\.tsx?$/.test(id)) return undefined;
      const ids = new Set([...code.matchAll(MESSAGE_ID)].map(([, found]) => found ?? ''));
      if (ids.size === 0) return undefined;
      english ??= englishMessages();
      const known = Object.entries(await english).filter(([one]) => ids.has(one));
      for (const [one] of known) placed.add(one);
      const messages = JSON.stringify(Object.fromEntries(known));
      const beside = `import { addEnglish } from '/src/frame/english.ts';\naddEnglish(${messages});`;
      return { code: `${code}\n${beside}`, map: null };
    },
    generateBundle: async function () {
      const missing = Object.keys((await english) ?? {}).filter((id) => !placed.has(id));
      if (missing.length > 0) this.error(`messages without code: ${missing.join(', ')}`);
    },
  };
};

/** What the pages call while `vite` serves them. */
const CALLED = ['/account', '/admin', `${BASE}settings.json`];

const { ACCOUNT_URL = 'http://127.0.0.1:8082' } = loadEnv('', import.meta.dirname, 'ACCOUNT_');

export default defineConfig({
  base: BASE,
  server: { proxy: Object.fromEntries(CALLED.map((path) => [path, ACCOUNT_URL])) },
  plugins: [
    react(),
    lingui({ cwd: import.meta.dirname, macroTransform: true, failOnMissing: true, failOnCompileError: true }),
    englishBesideCode(),
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
