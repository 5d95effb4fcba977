import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { faultsOfDocuments } from './check-docs.mjs';

let root;

function write(path, text = '') {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-docs-'));
  write('package.json', '{"scripts": {"bench": "node bench.mjs"}}');
  write('apps/shop/src/sell/sell.service.ts', "const { SHOP_URL } = environment; counter('gateway_sales_total');");
  write('apps/shop/README.md', '| `sell/` | `sell.service.ts` |');
  write('docs/how.md', '# How to sell, and when');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const faultsOf = (text) => {
  write('README.md', text);
  return faultsOfDocuments(root);
};

it('finds the title of a named test in its file', () => {
  write('apps/shop/src/sell/sell.service.spec.ts', "it('sells once', sellOnce);");
  expect(faultsOf('| a double sale | `sell.service.spec.ts`: sells once |')).toEqual([]);
  expect(faultsOf('| a double sale | `sell.service.spec.ts`: sells twice |')).toEqual([
    "README.md names the test 'sells twice' of sell.service.spec.ts, which is not there",
  ]);
});

describe('what the documents name', () => {
  it.each([
    'a [page](docs/how.md), [a heading](docs/how.md#how-to-sell-and-when), [elsewhere](https://example.com/docs/no.md)',
    '`apps/shop/src/sell/sell.service.ts`, `sell.service.ts`, `apps/shop/src/sell`, `shop/src/`, `src/sell/*.ts`',
    '`SHOP_URL=… npm run bench`, `gateway_sales_total{kind="a"}`, `pnpm run build`, `.local/gateway.json`, `tools/list`',
    '`x.spec.ts` beside `x.ts`, `dist/main.js`, `POST /v1/models`, `<family>.ts`',
    '```sh\ncp no/such/file.ts `NO_SUCH_SETTING`\n```',
  ])('is there, or is nothing that could be: %s', (text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  it.each([
    ['a [page](docs/gone.md)', 'links to docs/gone.md'],
    ['a [heading](docs/how.md#how-to-buy)', 'links to docs/how.md#how-to-buy'],
    ['`apps/shop/src/sell/buy.service.ts`', 'names the path apps/shop/src/sell/buy.service.ts'],
    ['`buy.service.ts`', 'names the path buy.service.ts'],
    ['`buy/`', 'names the path buy/'],
    ['`apps/shop/src/buy`', 'names the path apps/shop/src/buy'],
    ['`SHOP_PORT=1`', 'names the setting SHOP_PORT'],
    ['`rate(gateway_buys_total[5m])`', 'names the metric gateway_buys_total'],
    ['`npm run buy`', 'names the command npm run buy'],
  ])('%s is found to be gone', (text, fault) => {
    expect(faultsOf(text)).toEqual([`README.md ${fault}, which is not there`]);
  });

  it('has a row for each stage of an app and each story', () => {
    write('apps/shop/src/buy/buy.service.ts');
    write('apps/shop/src/test-support/samples.ts');
    write('tests/e2e/README.md', '`sell.scenario.ts`');
    for (const story of ['sell', 'buy']) write(`tests/e2e/shop/${story}.scenario.ts`);
    expect(faultsOf('')).toEqual([
      'tests/e2e/README.md has no row for buy.scenario.ts',
      'apps/shop/README.md has no row for buy/',
    ]);
  });

  it('has a row for each package', () => {
    write('packages/README.md', '| `money` | what units cost |');
    for (const name of ['money', 'stock']) write(`packages/${name}/package.json`);
    expect(faultsOf('')).toEqual(['packages/README.md has no row for stock']);
  });

  it('has a row for each folder of the contracts', () => {
    write('packages/contracts/README.md', '| `errors/` | the table |');
    for (const folder of ['errors', 'money']) write(`packages/contracts/src/${folder}/types.ts`);
    expect(faultsOf('')).toEqual(['packages/contracts/README.md has no row for money/']);
  });
});

describe('the list of decisions', () => {
  beforeEach(() => {
    write('docs/decisions/0001-sell-once.md', '# 0001 Sell once');
    write('docs/decisions/0002-buy-late.md', '# 0002 Buy late');
  });

  it('has each of them, by its title', () => {
    const lines = ['- [0001 Sell once](0001-sell-once.md)', '- [0002 Buy late](0002-buy-late.md)'];
    write('docs/decisions/README.md', lines.join('\n'));
    expect(faultsOfDocuments(root)).toEqual([]);
  });

  it.each([
    ['misses one', ''],
    ['has another title', '- [0002 Buy early](0002-buy-late.md)'],
    ['has one twice', '- [0002 Buy late](0002-buy-late.md)\n- [0002 Buy late](0002-buy-late.md)'],
  ])('is found when it %s', (_what, line) => {
    write('docs/decisions/README.md', `- [0001 Sell once](0001-sell-once.md)\n${line}`);
    expect(faultsOfDocuments(root)).toEqual([
      'docs/decisions/README.md does not have this line once: - [0002 Buy late](0002-buy-late.md)',
    ]);
  });
});

it('describe every variable of a service', () => {
  write('packages/config/src/shop.config.ts', 'const config = {\n    SHOP_URL: httpUrl,\n    SHOP_PORT: port,\n};');
  write('packages/config/README.md', '`SHOP_URL` is the address.');
  expect(faultsOfDocuments(root)).toEqual(['packages/config/README.md does not describe SHOP_PORT']);
  write('packages/config/README.md', '`SHOP_URL` and `SHOP_PORT` are the address.');
  expect(faultsOfDocuments(root)).toEqual([]);
});

describe('the pages of vendors', () => {
  const HEADINGS = ['What we speak', 'Models and their ends', 'Sources', 'Known differences', 'Not confirmed'];
  const page = (headings) => headings.map((heading) => `## ${heading}`).join('\n');

  beforeEach(() => {
    write('packages/contracts/README.md', '| `jobs/` | tickets |');
    write('packages/contracts/src/jobs/sync-ticket.job.ts', "export const VENDORS = ['acme'] as const;");
    write('tests/e2e/README.md');
  });

  it('are there with every heading, and short', () => {
    expect(faultsOfDocuments(root)).toEqual(['docs/vendors/acme.md is missing']);
    write('docs/vendors/acme.md', page(HEADINGS));
    expect(faultsOfDocuments(root)).toEqual([]);
    write('docs/vendors/acme.md', page(HEADINGS.slice(1)));
    expect(faultsOfDocuments(root)).toEqual(["docs/vendors/acme.md has no heading 'What we speak'"]);
    write('docs/vendors/acme.md', page(HEADINGS) + '\n'.repeat(120));
    expect(faultsOfDocuments(root)).toEqual(['docs/vendors/acme.md has more than 120 lines']);
  });
});

describe('the table of clients', () => {
  const PAGE = 'docs/how-to/use-client-libraries.md';
  const table = (row) => `| library or program | set-up | what works | run by |\n| --- | --- | --- | --- |\n${row}`;

  beforeEach(() => {
    write('tests/e2e/README.md', '`sdk.scenario.ts`');
    write('tests/e2e/clients/sdk.scenario.ts', "import { Client } from '@acme/sdk';");
  });

  it.each([
    ['| `@acme/sdk` | none | chat | `sdk` |', []],
    ['| Acme CLI | none | chat | by hand |', []],
    ['| `openai` | none | chat | `sdk` |', ['says that `sdk` imports openai']],
    ['| `@acme/sdk` | none | chat | `sdk`, `gone` |', ['names the scenario gone']],
    ['| Acme CLI | none | chat | none |', ['has no test for Acme CLI']],
  ])('is held against the scenarios: %s', (row, faults) => {
    write(PAGE, table(row));
    expect(faultsOfDocuments(root)).toEqual(faults.map((fault) => `${PAGE} ${fault}, which is not so`));
  });
});
