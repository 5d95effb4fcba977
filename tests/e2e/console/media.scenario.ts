import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { openBrowser, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';
import { faultsOf, openSettled } from './page-faults.js';
import { faultsOfStates } from './page-states.js';
import { CUSTOMER_PAGES } from './pages.mjs';

const EMAIL = 'maker@example.com';

/** Accounts starts after the edge, whose address it shows. */
const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'video-worker', 'api-edge', 'accounts'],
});
let browser: Browser;
let apiKey = '';
let token = '';
let accountId = '';

beforeAll(async () => {
  browser = await openBrowser();
  const registered = await stack.accounts.register(EMAIL, PASSWORD);
  token = registered.token;
  accountId = registered.account.id;
  await stack.accounts.credit(accountId, '20', 'a credit');
  apiKey = (await stack.accounts.createKey(token, 'maker', {})).key;
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const { accountUrl, baseUrl } = stack.system;
const hosts = [accountUrl, baseUrl] as const;
const at = (path: string) => `${accountUrl}/console${path}`;
const expectNoFaults = ({ faults }: WatchedPage) => expect(faults).toEqual({ console: [], otherHosts: [] });

const signedIn = (path: string, options = {}): Promise<WatchedPage> =>
  openSignedIn(browser, hosts, { email: EMAIL, path, ...options });

async function send(
  path: string,
  body: object,
  key = apiKey,
): Promise<{ status: number; id: string; requestId: string }> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { id } = (await response.json()) as { id: string };
  return { status: response.status, id, requestId: response.headers.get('x-request-id') ?? '' };
}

const chat = (model = 'gm-2.5-flash') => ({ model, messages: [{ role: 'user', content: 'Say hello' }] });
const video = (prompt: string) => ({
  model: 'wn2.7-t2v',
  duration: 2,
  resolution: '720p',
  input: { prompt },
  parameters: { resolution: '720P', duration: 2 },
});

const card = (page: Page, id: string) => page.locator(`[data-task="${id}"]`);

describe('the wall of videos', () => {
  it('shows a task from its acceptance to its video, by itself', async () => {
    const watched = await signedIn('/media', { reducedMotion: 'reduce' });
    const { page } = watched;
    await page.getByText('No videos yet').waitFor();
    const { id, status } = await send('/v1/videos/generations', video('A boat'));
    expect(status).toBe(202);
    await card(page, id).waitFor();
    await card(page, id).getByText('Succeeded').waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: `Open task ${id}` }).click();
    await page.getByRole('dialog').getByText('Charged').waitFor();
    expect(page.url()).toContain(`open=${id}`);
    expect(await faultsOf(page, 'the panel of a task')).toEqual([]);
    expectNoFaults(watched);
  });

  it('says why a task failed, and that it cost nothing', async () => {
    const watched = await signedIn('/');
    const { page } = watched;
    const { id } = await send('/v1/videos/generations', video('A boat {{sim task_fail=InternalError}}'));
    await page.goto(at('/media?status=failed'));
    await card(page, id).getByText('Nothing was charged').waitFor({ timeout: 30_000 });
    await page.goto(at('/'));
    const failed = page.getByRole('link', { name: /^Failed \d+$/ });
    const failedRequests = Number((await failed.textContent())?.replace(/\D/g, ''));
    await failed.click();
    await page.waitForURL(/outcome=failed&from=/);
    await page.locator(`[role="grid"][aria-label="Requests"][aria-rowcount="${failedRequests + 1}"]`).waitFor();
    expectNoFaults(watched);
  });

  it('says what a cancellation may still cost before it cancels', async () => {
    const watched = await signedIn('/');
    const { page } = watched;
    const { id } = await send('/v1/videos/generations', video('A film {{sim task_seconds=600 queue_seconds=500}}'));
    await page.goto(at(`/media?open=${id}`));
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    await page.getByText('costs at most $').waitFor();
    await page.getByRole('button', { name: 'Cancel the task' }).last().click();
    await page
      .getByRole('dialog')
      .getByText('Nothing is charged', { exact: false })
      .first()
      .waitFor({ timeout: 20_000 });
    await page.keyboard.press('Escape');
    await card(page, id).getByText('Cancelled', { exact: true }).waitFor();
    expectNoFaults(watched);
    const inChinese = await signedIn(`/media?open=${id}`, { locale: 'zh-CN' });
    await inChinese.page.getByRole('dialog').getByText('任务已取消，不收费。').waitFor();
    expectNoFaults(inChinese);
  });
});

describe('what is kept', () => {
  it('lists a file, exports all of them, and deletes one after a question', async () => {
    const form = new FormData();
    form.set('purpose', 'user_data');
    form.set('file', new Blob(['some text'], { type: 'text/plain' }), 'notes.txt');
    const headers = { authorization: `Bearer ${apiKey}` };
    expect((await fetch(`${baseUrl}/v1/files`, { method: 'POST', headers, body: form })).status).toBe(200);
    const watched = await signedIn('/media?view=files');
    const { page } = watched;
    await page.getByRole('row').filter({ hasText: 'notes.txt' }).click();
    const download = page.getByRole('dialog').getByRole('link', { name: 'Download' });
    const content = await fetch((await download.getAttribute('href')) ?? '');
    expect([content.status, await content.text()]).toEqual([200, 'some text']);
    await page.getByRole('button', { name: 'Delete the file' }).click();
    await page.getByText('cannot be brought back').waitFor();
    await page.getByRole('button', { name: 'Delete the file' }).last().click();
    await page.getByRole('row').filter({ hasText: 'notes.txt' }).waitFor({ state: 'detached' });
    const exported = await page.request.get(`${accountUrl}/account/files?format=csv`);
    expect(exported.headers()['content-disposition']).toContain('files.csv');
    expectNoFaults(watched);
  });

  it('changes how long results are kept, and names the field of a wrong time', async () => {
    const watched = await signedIn('/media?view=files');
    const { page } = watched;
    await page.getByRole('button', { name: 'Change how long' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Images and videos, days').fill('0');
    await dialog.getByRole('button', { name: 'Change the times' }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByLabel('Images and videos, days').fill('7');
    await dialog.getByRole('button', { name: 'Change the times' }).click();
    await page.getByText('Media stay 7 days').waitFor();
    expectNoFaults(watched);
  });

  it('has no fault of accessibility in any view, and fits on a phone', async () => {
    const watched = await signedIn('/', { reducedMotion: 'reduce' });
    const { page } = watched;
    const found: string[] = [];
    for (const view of ['tasks', 'files', 'batches', 'requests']) {
      await openSettled(page, at(`/media?view=${view}`));
      await page.getByRole('tabpanel').waitFor();
      found.push(...(await faultsOf(page, view)));
    }
    expect(found).toEqual([]);
    expectNoFaults(watched);
  });
});

describe('the first call', () => {
  it('shows why a request was refused, while the page listens', async () => {
    const watched = await signedIn('/first-call');
    const { page } = watched;
    await page.getByText('Listening for your request').waitFor();
    const refused = await send('/v1/chat/completions', chat('no-such-model'));
    expect(refused.status).toBe(400);
    await page.getByText('Refused: 400').waitFor();
    await page.getByText('It cost nothing.').waitFor();
    await send('/v1/chat/completions', chat());
    await page.getByText('Completed').waitFor();
    expectNoFaults(watched);
  });
});

describe('a model', () => {
  it('shows its speed as measured here, and the price of the own usage on it', async () => {
    const watched = await signedIn('/');
    const { page } = watched;
    const { requestId } = await send('/v1/chat/completions', chat());
    await page.goto(at('/requests'));
    await page.locator(`[role="row"]`).nth(1).waitFor();
    await page.goto(at('/models?open=cl-sonnet-4-6'));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('no data yet').first().waitFor();
    await dialog.getByRole('row').filter({ hasText: 'gm-2.5-flash' }).waitFor();
    await page.goto(at('/models?open=gm-2.5-flash'));
    await dialog.getByText('First byte, median').waitFor();
    await page.goto(at(`/requests?open=${requestId}`));
    await dialog.getByRole('combobox', { name: 'Other model' }).click();
    await page.getByRole('option', { name: 'cl-sonnet-4-6' }).click();
    await dialog.getByText('Difference', { exact: true }).waitFor();
    expectNoFaults(watched);
  });
});

describe('the signing secret', () => {
  it('is replaced, and shown once', async () => {
    const watched = await signedIn('/webhooks');
    const { page } = watched;
    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
    const secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(secret).count()).toBe(0);
    expectNoFaults(watched);
  });
});

describe('every page of a customer', () => {
  it('says that it loads, what went wrong, and how to go on; it fits when it is empty, or has long names', async () => {
    const watched = await signedIn('/', { reducedMotion: 'reduce' });
    const { page } = watched;
    // The overview would read days of the other clock.
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
    await page.clock.install();
    expect(await faultsOfStates(page, CUSTOMER_PAGES.map(at))).toEqual([]);
    expectNoFaults(watched);
  }, 400_000);

  it('says so when not even the session can be read, and goes on', async () => {
    const watched = await signedIn('/');
    const { page } = watched;
    // A clock that starts in 1970 asks for statements of that year.
    await page.clock.install({ time: Date.now() });
    await page.route('**/account/session', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto(at('/'));
    await eventually(async () => {
      await page.clock.runFor(3_000);
      await page.getByRole('alert').waitFor({ timeout: 1_000 });
    });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    // The router reports what its boundary caught.
    expect(watched.faults.console.filter((text) => !text.includes('answered 503'))).toEqual([]);
  });
});

// The tests of a file run before those of its groups, so this one has a group.
describe('in the end', () => {
  it('leaves a consistent ledger', async () => {
    await eventually(async () => expectConsistentLedger(stack, []), { withinMs: 60_000, intervalMs: 500 });
  });
});
