import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';

const app = fileURLToPath(new URL('../../', import.meta.url));

/** In a process of its own: the extractor finds nothing inside Jest's module registry. */
const COLLECT = `
  import { getCatalogs } from '@lingui/cli/api';
  import { getConfig } from '@lingui/conf';
  const [catalog] = await getCatalogs(getConfig({ cwd: process.cwd() }));
  console.log(JSON.stringify({ collected: Object.keys(await catalog.collect()), written: await catalog.readAll() }));
`;

interface Messages {
  readonly collected: readonly string[];
  readonly written: Readonly<Record<string, Readonly<Record<string, { readonly translation?: string }>>>>;
}

let messages: Messages;

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', COLLECT], { cwd: app });
  messages = JSON.parse(stdout.slice(stdout.indexOf('{"collected"')));
});

// `pnpm --filter @gateway/console run messages` writes the catalogues.
it.each(['en', 'zh'])('has every message of the pages in %s, translated', (language) => {
  const { collected, written } = messages;
  expect(collected.length).toBeGreaterThan(100);
  const known = written[language] ?? {};
  expect(Object.keys(known).sort()).toEqual([...collected].sort());
  const missing = Object.entries(known).filter(([, { translation }]) => language !== 'en' && !translation);
  expect(missing).toEqual([]);
});
