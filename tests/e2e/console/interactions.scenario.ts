import { callJson, eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page, Route } from 'playwright-core';
import { ask } from './ask.js';
import { writeReceipts } from './many-receipts.js';
import { openBrowser, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';

const EMAIL = 'careful@example.com';
const MINUTE_MS = 60_000;

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'api-edge', 'accounts'],
});
const { accountUrl, baseUrl } = stack.system;

interface MadeKey {
  readonly id: string;
  readonly key: string;
}

let browser: Browser;
let token: string;
let accountId: string;
let mine: MadeKey;
let shared: MadeKey;

const call = <Body>(path: string, method: 'GET' | 'POST' | 'PATCH', body?: object): Promise<Body> =>
  callJson<Body>(`${accountUrl}${path}`, { method, token, ...(body !== undefined && { body }) });

beforeAll(async () => {
  browser = await openBrowser();
  const registered = await stack.accounts.register(EMAIL, PASSWORD);
  token = registered.token;
  accountId = registered.account.id;
  await stack.accounts.credit(registered.account.id, '10', 'a credit');
  const members = await call<{ readonly data: readonly { readonly id: string }[] }>('/account/members', 'GET');
  mine = await call<MadeKey>('/account/keys', 'POST', { name: 'mine', member_id: members.data[0]?.id });
  await ask(baseUrl, mine.key);
  shared = await call<MadeKey>('/account/keys', 'POST', { name: 'shared', member_id: null });
  await ask(baseUrl, shared.key);
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const open = (path: string, options = {}): Promise<WatchedPage> =>
  openSignedIn(browser, [accountUrl, baseUrl], { email: EMAIL, path, ...options });
const expectNoFaults = ({ faults }: WatchedPage) => expect(faults).toEqual({ console: [], otherHosts: [] });
const isPost = (route: Route): boolean => route.request().method() === 'POST';

it.each(['/keys', '/models'])('keeps every letter of a search on %s, also in the middle', async (path) => {
  const watched = await open(path);
  const { page } = watched;
  const search = page.getByRole('searchbox', { name: 'Search' });
  await search.click();
  await page.keyboard.type('mie');
  await page.waitForURL(/q=mie/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('nnn');
  await page.waitForURL(/q=minnne/);
  expect(await search.inputValue()).toBe('minnne');
  await page.goBack();
  await page.goForward();
  expect(await search.inputValue()).toBe('minnne');
  expectNoFaults(watched);
});

it('takes a time that is typed digit by digit', async () => {
  const watched = await open('/requests', { timezoneId: 'Asia/Shanghai' });
  const { page } = watched;
  await page.getByRole('button', { name: 'More filters' }).click();
  const from = page.getByLabel('From', { exact: true });
  await from.focus();
  await page.keyboard.type('112320250304PM', { delay: 50 });
  await page.waitForURL(/from=2025-11-23T07%3A04/);
  expect(await from.inputValue()).toBe('2025-11-23T15:04');
  expectNoFaults(watched);
});

const scrolled = (page: Page): Promise<number> => page.evaluate<number>('scrollY');

it('keeps the place on the page when a filter changes or something opens', async () => {
  const watched = await open('/billing', { viewport: { width: 1360, height: 400 } });
  const { page } = watched;
  await page.getByText('a credit').waitFor();
  const kind = page.getByRole('combobox', { name: 'Kind' });
  await kind.scrollIntoViewIfNeeded();
  expect(await scrolled(page)).toBeGreaterThan(0);
  await kind.click();
  await page.getByRole('option', { name: 'Top-up' }).click();
  await page.waitForURL(/kind=top_up/);
  await page.getByText('a credit').waitFor();
  // The page may be shorter now, but it does not begin at its top again.
  const filtered = await scrolled(page);
  expect(filtered).toBeGreaterThan(0);
  // A statement leaves the filter of the ledger alone, too.
  const month = page.getByRole('grid', { name: 'Statements' }).getByRole('row').nth(1);
  // The mouse and the focus would bring the row into view.
  await month.evaluate((row) => (row as unknown as { click(): void }).click());
  await page.waitForURL(/month=/);
  await page.getByRole('dialog').getByText('Opening balance').waitFor();
  expect(await scrolled(page)).toBe(filtered);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toContain('kind=top_up');
  expectNoFaults(watched);
});

it('refuses a limit that is no number, and overwrites nothing that another tab has changed', async () => {
  const { id } = await call<MadeKey>('/account/keys', 'POST', { name: 'limited', rpm: 10, concurrency: 3 });
  const watched = await open(`/keys?open=${id}`);
  const { page } = watched;
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Requests per minute').fill('1e3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('must be a number').waitFor();
  await call(`/account/keys/${id}`, 'PATCH', { concurrency: 7 });
  await page.getByText('Live', { exact: true }).waitFor();
  await dialog.getByLabel('Requests per minute').fill('1,000');
  // Enter saves, too.
  await page.keyboard.press('Enter');
  await page.getByText('Saved').waitFor();
  const { data } = await call<{ readonly data: readonly { readonly id: string }[] }>('/account/keys', 'GET');
  expect(data.find((key) => key.id === id)).toMatchObject({ rpm: 1_000, concurrency: 7 });
  expectNoFaults(watched);
});

it('shows a key that is made while its form is closed, and keeps it until the person is done', async () => {
  const watched = await open('/keys?make=key');
  const { page } = watched;
  let answer = (): void => undefined;
  const isClosed = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/account/keys', async (route) => {
    if (isPost(route)) await isClosed;
    await route.continue();
  });
  await page.getByLabel('Name').fill('almost lost');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  answer();
  const dialog = page.getByRole('dialog', { name: 'Your new key' });
  await dialog.getByText(/^sk-/).waitFor();
  await page.mouse.click(5, 5);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'detached' });
  expectNoFaults(watched);
});

it("opens the requests of the organisation's own keys, and says whose they are", async () => {
  const watched = await open('/?by=member');
  const { page } = watched;
  const table = page.getByRole('grid', { name: 'Cost by member' });
  await table.getByRole('row').filter({ hasText: 'the organisation' }).click();
  await page.waitForURL(/member_id=none/);
  await page.locator('[role="grid"][aria-label="Requests"][aria-rowcount="2"]').waitFor();
  await page.getByRole('combobox', { name: 'Member' }).filter({ hasText: 'the organisation' }).waitFor();
  expectNoFaults(watched);
});

it('counts a new day after midnight without being loaded again', async () => {
  const watched = await open('/models');
  const { page } = watched;
  const midnight = new Date();
  midnight.setUTCHours(24, 0, 0, 0);
  await page.clock.install({ time: new Date(midnight.getTime() - MINUTE_MS / 2) });
  await page.goto(`${accountUrl}/console/`);
  await page.getByText('Spent today').waitFor();
  const today = midnight.toISOString().slice(0, '2026-11-22'.length);
  const next = page.waitForRequest((request) => request.url().includes(`to=${today}`));
  await page.clock.runFor(2 * MINUTE_MS);
  await next;
  expectNoFaults(watched);
});

it('keeps what it has read while a later read fails', async () => {
  await call('/account/webhook-endpoints', 'POST', { url: 'https://example.com/hooks' });
  const watched = await open('/webhooks');
  const { page } = watched;
  const endpoint = page.getByRole('list', { name: 'Endpoints' }).getByText('https://example.com/hooks');
  await endpoint.waitFor();
  const json = { error: { message: 'Too many requests.', type: 'x', code: 'rate_limit_exceeded', param: null } };
  await page.route('**/account/webhook-*', (route) => route.fulfill({ status: 429, json }));
  await page.getByRole('alert').filter({ hasText: 'Too many requests.' }).first().waitFor();
  expect(await endpoint.isVisible()).toBe(true);
  expectNoFaults(watched);
});

it('leaves the focus beside what the person has deleted', async () => {
  await call('/account/webhook-endpoints', 'POST', { url: 'https://example.com/former' });
  await call('/account/invitations', 'POST', { email: 'invited@example.com', role: 'viewer' });
  const watched = await open('/webhooks');
  const { page } = watched;
  await page.getByRole('button', { name: 'What to do with https://example.com/former' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete the endpoint' }).click();
  await page.locator('section[aria-label="Endpoints"]:focus').waitFor();
  await page.goto(`${accountUrl}/console/account?tab=members`);
  await page.getByRole('button', { name: 'Withdraw the invitation of invited@example.com' }).click();
  // It was the last one: its section is gone, too.
  await page.locator('main:focus').waitFor();
  expectNoFaults(watched);
});

it('says that the person is still signed in if the server could not end the session', async () => {
  const watched = await open('/models');
  const { page } = watched;
  await page.route('**/account/logout', (route) => route.abort('internetdisconnected'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are still signed in').waitFor();
  await page.unroute('**/account/logout');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expectNoFaults(watched);
});

it('offers the receipt of a pasted id, and opens it once', async () => {
  const watched = await open('/requests');
  const { page } = watched;
  await page.getByRole('grid', { name: 'Requests' }).getByRole('row').nth(1).click();
  await page.getByRole('dialog').getByText('Where the time went').waitFor();
  const id = new URL(page.url()).searchParams.get('open') ?? '';
  await page.goto(`${accountUrl}/console/models`);
  await page.getByRole('button', { name: 'Go to…' }).click();
  await page.getByLabel('Go to a page, or paste a request id').fill(id);
  await page.getByRole('option', { name: `Receipt of ${id}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Request' }).getByText(id).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
  expectNoFaults(watched);
});

/** The ids of the rows below the titles, and how far the list is scrolled. */
const FIRST_IN_VIEW = `(() => {
  const table = document.querySelector('[role="grid"][aria-label="Requests"]');
  const { left, top } = table.getBoundingClientRect();
  return document.elementFromPoint(left + 40, top + 60)?.closest('[role="row"]')?.textContent;
})()`;

it('moves nothing that a person reads when requests arrive above it', async () => {
  await writeReceipts(stack.system.databaseUrl, { accountId, keyId: mine.id, count: 60 });
  const watched = await open('/requests');
  const { page } = watched;
  const rows = (count: number) =>
    page.locator(`[role="grid"][aria-label="Requests"][aria-rowcount="${count + 1}"]`).waitFor();
  await rows(62);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('grid', { name: 'Requests' }).evaluate((table) => {
    (table as unknown as { scrollTop: number }).scrollTop = 360;
  });
  const before = await page.evaluate<string>(FIRST_IN_VIEW);
  await ask(baseUrl, mine.key);
  await rows(63);
  expect(await page.evaluate<string>(FIRST_IN_VIEW)).toBe(before);
  expectNoFaults(watched);
});

const FOCUSED_ROW = `document.activeElement?.closest('[role="row"]')?.getAttribute('aria-rowindex') ?? null`;
/** Whether the row that has the focus shows whole, below the titles and above the end of its table. */
const IS_IN_VIEW = `(() => {
  const row = document.activeElement.getBoundingClientRect();
  const grid = document.activeElement.closest('[role="grid"]');
  const titles = grid.querySelector('[role="columnheader"]').closest('[role="rowgroup"]').getBoundingClientRect();
  return row.top >= titles.bottom - 1 && row.bottom <= grid.getBoundingClientRect().bottom + 1;
})()`;

it('holds the focus of the keys in no list, and leads through each by its arrows', async () => {
  await writeReceipts(stack.system.databaseUrl, { accountId, keyId: shared.id, count: 60 });
  const watched = await open(`/requests?key_id=${shared.id}`);
  const { page } = watched;
  await page.locator('[role="grid"][aria-label="Requests"][aria-rowcount="62"]').waitFor();
  const press = async (key: string, row: string | null) => {
    await page.keyboard.press(key);
    await eventually(async () => expect(await page.evaluate<string | null>(FOCUSED_ROW)).toBe(row));
    if (row !== null) expect(await page.evaluate<boolean>(IS_IN_VIEW)).toBe(true);
  };
  await page.getByRole('button', { name: 'Columns' }).focus();
  await press('Tab', '2');
  await press('ArrowDown', '3');
  await press('End', '62');
  await press('ArrowUp', '61');
  await press('Home', '2');
  await press('ArrowDown', '3');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await press('Shift', '3');
  await press('Tab', null);
  expectNoFaults(watched);
});

it('follows the organisation that a window beside it chooses, and keeps nothing typed for the former one', async () => {
  await call('/account/organisations', 'POST', { name: 'Second' });
  const watched = await open('/keys?make=key');
  const { page } = watched;
  await page.getByLabel('Name').fill('for the first');
  const beside = await page.context().newPage();
  await beside.goto(`${accountUrl}/console/account`);
  await beside.getByRole('button', { name: 'Work in Second' }).click();
  await page.getByText('Second').first().waitFor();
  await eventually(async () => expect(await page.getByLabel('Name').inputValue()).toBe(''));
  await beside.getByRole('button', { name: 'Sign out' }).click();
  const question = page.getByRole('heading', { name: 'Sign in again' });
  await question.waitFor();
  await beside.getByLabel('E-mail').fill(EMAIL);
  await beside.getByLabel('Password').fill(PASSWORD);
  await beside.getByRole('button', { name: 'Sign in' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).waitFor();
  expectNoFaults(watched);
});
