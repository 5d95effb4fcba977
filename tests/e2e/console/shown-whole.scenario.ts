import { openDatabase } from '@gateway/postgres';
import { callJson, eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator } from 'playwright-core';
import { ask } from './ask.js';
import { openBrowser, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';

const EMAIL = 'reader@example.com';
const PHONE = { viewport: { width: 390, height: 844 } };
const CAP = 20;
const ASKED = 3;
const DELIVERIES = 350;

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'api-edge', 'accounts'],
});
const { accountUrl, baseUrl, databaseUrl } = stack.system;

let browser: Browser;
let token: string;
let accountId: string;
let key: string;

const call = <Body>(path: string, method: 'GET' | 'POST' | 'PATCH', body?: object): Promise<Body> =>
  callJson<Body>(`${accountUrl}${path}`, { method, token, ...(body !== undefined && { body }) });

beforeAll(async () => {
  browser = await openBrowser();
  const registered = await stack.accounts.register(EMAIL, PASSWORD);
  token = registered.token;
  accountId = registered.account.id;
  await stack.accounts.credit(accountId, '10', 'a credit');
  ({ key } = await call<{ readonly key: string }>('/account/keys', 'POST', { name: 'website' }));
  const caps = [{ period: 'day', measure: 'requests', limit: CAP, hard: false }];
  await call('/account/settings', 'PATCH', { caps });
  await ask(baseUrl, key);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const open = (path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> =>
  openSignedIn(browser, [accountUrl, baseUrl], { email: EMAIL, path, ...options });
const expectNoFaults = ({ faults }: WatchedPage) => expect(faults).toEqual({ console: [], otherHosts: [] });

/** False: a part of the text does not show. */
const isWhole = (place: Locator): Promise<boolean> =>
  place.evaluate(
    (cell: { scrollWidth: number; clientWidth: number; scrollHeight: number; clientHeight: number }) =>
      cell.scrollWidth <= cell.clientWidth && cell.scrollHeight <= cell.clientHeight,
  );

it('counts a request in the caps of the organisation and in the statement as it ends', async () => {
  const [overview, billing] = [await open('/'), await open('/billing')];
  const caps = overview.page.getByLabel('What is used of the caps');
  const month = billing.page.getByRole('grid', { name: 'Statements' }).getByRole('row').nth(1);
  await caps.getByText(`1 / ${CAP}`).waitFor();
  await month.getByText('2', { exact: true }).waitFor();
  // What the page reads by itself when a person comes to it must not help it.
  await eventually(async () => {
    const live = [overview, billing].map(({ page }) => page.getByText('Live', { exact: true }).count());
    return (await Promise.all(live)).every((count) => count === 1);
  });
  for (let asked = 0; asked < ASKED; asked += 1) await ask(baseUrl, key);
  await caps.getByText(`${ASKED + 1} / ${CAP}`).waitFor();
  await month.getByText(`${ASKED + 2}`, { exact: true }).waitFor();
  for (const watched of [overview, billing]) expectNoFaults(watched);
});

it('says in words how requests ended', async () => {
  const watched = await open('/?by=outcome');
  const grid = watched.page.getByRole('grid', { name: 'Cost by Outcome' });
  expect(await grid.getByRole('row').nth(1).getByRole('gridcell').first().textContent()).toBe('Completed');
  expectNoFaults(watched);
});

it('sorts models without a price for their output to the end', async () => {
  const { page } = await open('/models?sort=output');
  const grid = page.getByRole('grid', { name: 'Models' });
  expect(await grid.getByRole('row').nth(1).getByRole('gridcell').last().textContent()).toMatch(/^\$/);
});

it('shows the whole names of models on a phone, and of requests where a person asks for them', async () => {
  const phone = await open('/models', PHONE);
  const name = phone.page.getByRole('gridcell', { name: 'gm-embedding-2-preview' });
  await name.waitFor();
  expect(await isWhole(name)).toBe(true);
  const wide = await open('/requests');
  await wide.page.getByRole('button', { name: 'Columns' }).click();
  await wide.page.getByRole('menuitemcheckbox', { name: 'Request id' }).click();
  const id = wide.page.getByRole('gridcell', { name: /^req_/ }).first();
  await id.waitFor();
  expect(await isWhole(id)).toBe(true);
  for (const watched of [phone, wide]) expectNoFaults(watched);
});

it('has the whole text of a cell that is cut under the pointer', async () => {
  const name = 'a name that is longer than its column, as names of keys often are';
  await call('/account/keys', 'POST', { name });
  const { page } = await open('/keys');
  const cell = page.getByRole('gridcell', { name });
  expect(await cell.getAttribute('title')).toBeNull();
  await page.setViewportSize({ width: 800, height: 700 });
  await cell.hover();
  expect(await cell.getAttribute('title')).toBe(name);
});

it('shows on a phone how long each stage of a request took', async () => {
  const { data } = await call<{ readonly data: readonly { readonly request_id: string }[] }>(
    '/account/requests',
    'GET',
  );
  const { page } = await open(`/requests?open=${data[0]?.request_id}`, PHONE);
  const stage = page.getByRole('listitem').filter({ hasText: 'Vendor, until the first byte' });
  const [bar, panel] = [
    await stage.locator('[aria-hidden]').boundingBox(),
    await page.getByRole('dialog').boundingBox(),
  ];
  expect(bar?.width).toBeGreaterThan((panel?.width ?? Number.NaN) / 2);
});

it.each([390, 700])('shows large amounts whole in a window of %i pixels, beside each other', async (width) => {
  await stack.accounts.credit(accountId, '999999.987654321', 'a large credit');
  await stack.accounts.credit(accountId, '999999.987654321', 'another one');
  const { page } = await open('/', { viewport: { width, height: 844 } });
  const figures = page.locator('p.text-figure');
  await figures.getByText(/^\$\d,\d{3},/).waitFor();
  for (const figure of await figures.all()) expect(await isWhole(figure)).toBe(true);
  await page.goto(`${accountUrl}/console/billing`);
  const month = page.getByRole('grid', { name: 'Statements' }).getByRole('gridcell').last();
  await month.waitFor();
  expect(await isWhole(month)).toBe(true);
});

it('shows the characters of code that a person copies', async () => {
  const { page } = await open('/first-call');
  const code = page.locator('pre code').first();
  expect(await code.evaluate('getComputedStyle(document.querySelector("pre code")).fontFeatureSettings')).toBe(
    '"calt" 0',
  );
});

it('leads to the documentation of the API from every page', async () => {
  const { page } = await open('/first-call');
  const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Documentation' });
  const address = await link.getAttribute('href');
  expect(address).toBe(`${baseUrl}/docs`);
  expect((await fetch(`${address}`)).status).toBe(200);
});

/** Copies one delivery of the account many times. */
async function copyDelivery(): Promise<void> {
  const database = openDatabase({ databaseUrl, poolSize: 1, applicationName: 'deliveries', onError: () => undefined });
  try {
    await database.prisma.$executeRawUnsafe(`
      INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, state, attempts, created_at, finished_at)
      SELECT 'whd_' || md5(n::text), event_id, account_id, endpoint_id, url, host, 'delivered', 1,
        created_at - n * interval '1 second', created_at
      FROM webhook_delivery, generate_series(1, ${DELIVERIES}) AS n WHERE account_id = '${accountId}'`);
  } finally {
    await database.close();
  }
}

it('reads only the first page of a long list again and again, and shows what is new in it', async () => {
  const { id } = await call<{ readonly id: string }>('/account/webhook-endpoints', 'POST', {
    url: 'https://example.com/hooks',
  });
  await call(`/account/webhook-endpoints/${id}/test`, 'POST', {});
  await copyDelivery();
  const watched = await open('/webhooks');
  const { page } = watched;
  const grid = page.getByRole('grid', { name: 'Deliveries' });
  await eventually(async () => {
    await grid.evaluate((list: { scrollHeight: number; scrollTop: number }) => {
      list.scrollTop = list.scrollHeight;
    });
    return Number(await grid.getAttribute('aria-rowcount')) === DELIVERIES + 2;
  });
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/account/webhook-deliveries')) reads.push(request.url());
  });
  const isRead = /\/account\/webhook-deliveries\?/;
  await page.waitForResponse((response) => isRead.test(response.url()));
  await call(`/account/webhook-endpoints/${id}/test`, 'POST', {});
  await eventually(async () => Number(await grid.getAttribute('aria-rowcount')) === DELIVERIES + 3);
  expect(reads.filter((address) => address.includes('cursor='))).toEqual([]);
  expectNoFaults(watched);
});
