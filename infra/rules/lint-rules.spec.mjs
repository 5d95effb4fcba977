import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));

const READS_ENVIRONMENT = 'export const port = process.env.PORT;';
const POSTS_CREDIT = "import { postCredit } from '@gateway/postgres';\n\nexport const post = postCredit;";
const ENDS_TASKS = "import { openTaskStore } from '@gateway/postgres';\n\nexport const open = openTaskStore;";
const OPENS_ACCOUNTS = "import { registerPerson } from '@gateway/postgres';\n\nexport const open = registerPerson;";
const FINDS_KEYS = "import { openKeyReader } from '@gateway/postgres';\n\nexport const open = openKeyReader;";

const FORBIDDEN = [
  ['noProcessEnv', 'apps/api-edge/src/environment.ts', READS_ENVIRONMENT],
  ['noProcessEnv', 'packages/redis/src/environment.ts', READS_ENVIRONMENT],
  ['noRestrictedImports', 'apps/api-edge/src/credit.ts', POSTS_CREDIT],
  ['noRestrictedImports', 'apps/accounts/src/credit.ts', POSTS_CREDIT],
  ['noRestrictedImports', 'apps/sync-worker/src/credit.ts', POSTS_CREDIT],
  ['noRestrictedImports', 'apps/video-worker/src/credit.ts', POSTS_CREDIT],
  ['noRestrictedImports', 'apps/video-worker/src/accounts.ts', OPENS_ACCOUNTS],
  ['noRestrictedImports', 'apps/video-worker/src/test-support/credit.ts', POSTS_CREDIT],
  ['noRestrictedImports', 'apps/video-worker/src/keys.ts', FINDS_KEYS],
  ['noExplicitAny', 'packages/money/src/any.ts', 'export const read = (value: any): unknown => value;'],
  ['noNonNullAssertion', 'packages/money/src/bang.ts', 'export const read = (value?: string): string => value!;'],
  ['noConsole', 'apps/billing/src/console.ts', "console.log('paid');"],
  ['useFilenamingConvention', 'apps/billing/src/PlantedFile.ts', 'export const a = 1;'],
];

const ALLOWED = [
  ['packages/config/src/environment.ts', READS_ENVIRONMENT],
  ['infra/local/environment.mjs', READS_ENVIRONMENT],
  ['apps/billing/src/credit.ts', POSTS_CREDIT],
  ['apps/api-edge/src/keys.ts', FINDS_KEYS],
  ['apps/video-worker/src/tasks.ts', ENDS_TASKS],
  ['apps/video-worker/src/test-support/accounts.ts', OPENS_ACCOUNTS],
];

/** What the linter says of the planted files, as `rule file`. */
function lint() {
  const args = ['lint', '--reporter=json', '--max-diagnostics=none'];
  const { stdout } = spawnSync(process.execPath, [biome, ...args], { cwd: folder, encoding: 'utf8' });
  return JSON.parse(stdout).diagnostics.map(({ category, location }) => {
    const path = typeof location.path === 'string' ? location.path : location.path.file;
    return `${category.split('/').at(-1)} ${path}`;
  });
}

describe('The lint rules, given one file that breaks each of them', () => {
  let found;
  beforeAll(() => {
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    for (const [path, text] of [...ALLOWED, ...FORBIDDEN.map(([, ...file]) => file)]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    found = lint();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(FORBIDDEN)('%s: refuses %s, which says %s', (rule, path) => {
    expect(found).toContain(`${rule} ${path}`);
  });

  it.each(ALLOWED)('allows %s', (path) => {
    expect(found.filter((finding) => finding.endsWith(` ${path}`))).toEqual([]);
  });
});
