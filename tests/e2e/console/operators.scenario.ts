import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { openBrowser, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';
import { faultsOf, openSettled } from './page-faults.js';
import { faultsOfStates } from './page-states.js';
import { OPERATOR_PAGES, OPERATOR_VIEWS } from './pages.mjs';

const PHONE = { width: 390, height: 860 };
/** The texts of cells that show only their begin. */
const CUT_CELLS = `[...document.querySelectorAll('[role="gridcell"]')]
  .filter((cell) => cell.scrollWidth > cell.clientWidth)
  .map((cell) => cell.textContent)`;

const stack = await startTestStack();
let browser: Browser;
let apiKey: string;
let accountId: string;

const accountUrl = stack.system.accountUrl;
const hosts = [accountUrl, stack.system.baseUrl] as const;
const at = (path: string) => `${accountUrl}/console${path}`;

async function administer(method: string, path: string, body?: object) {
  const response = await fetch(`${accountUrl}/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.system.adminToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response body
  return (await response.json()) as any;
}

/** Sends one paid request, and returns its id. */
async function send(path: string, body: object): Promise<string> {
  const response = await fetch(`${stack.system.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

const sendRequest = () => send('/v1/embeddings', { model: 'vg-4', input: 'Hello' });

/** An image that its vendor answers by address. */
const sendImage = () =>
  send('/v1/images/generations', {
    model: 'qn-image-2.0',
    input: { messages: [{ role: 'user', content: [{ text: 'A heron' }] }] },
  });

/** The channel that serves a request. */
async function channelOfARequest(): Promise<string> {
  const requestId = await sendRequest();
  const receipt = await eventually(async () => {
    const found = await administer('GET', `accounts/${accountId}/requests/${requestId}`);
    expect(found.channels).toHaveLength(1);
    return found;
  });
  return receipt.channels[0].channel;
}

const signIn = (email: string, path = '/', options = {}): Promise<WatchedPage> =>
  openSignedIn(browser, hosts, { email, path, ...options });
const expectNoFaults = ({ faults }: WatchedPage) => expect(faults).toEqual({ console: [], otherHosts: [] });
const open = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).click();

beforeAll(async () => {
  const worker = stack.system.instance('sync-worker');
  const baseUrl = `${stack.system.simulatorUrl}/voyage`;
  const channels = ['voyage-one', 'voyage-two'].map((id) => ({ id, apiKey: 'simulator', baseUrl }));
  worker.useVariables({ VOYAGE_CHANNELS: JSON.stringify(channels), PUBLIC_API_URL: stack.system.baseUrl });
  const [customer] = await Promise.all([
    stack.accounts.register('customer@example.com', PASSWORD),
    stack.accounts.register('operator@example.com', PASSWORD),
    worker.restart(),
    openBrowser().then((opened) => {
      browser = opened;
    }),
  ]);
  accountId = customer.account.id;
  await stack.accounts.credit(accountId, '5', 'first credit');
  apiKey = (await stack.accounts.createKey(customer.token, 'website', {})).key;
  await administer('POST', 'administrators', { name: 'Ann', email: 'operator@example.com' });
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

describe('an operator', () => {
  it('credits an account, and its customer sees it at once', async () => {
    const [operator, customer] = await Promise.all([
      signIn('operator@example.com'),
      signIn('customer@example.com', '/billing'),
    ]);
    const { page } = operator;
    await customer.page.getByText('$5.000000000').first().waitFor();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await page.getByLabel('Name, address or id').fill('CUSTOMER@');
    await open(page, 'customer@example.com');
    await page.getByRole('button', { name: 'Credit', exact: true }).click();
    await page.getByLabel('Amount, USD').fill('a lot');
    await page.getByLabel('Reason').fill('invoice 7');
    await page.getByRole('button', { name: 'Credit it' }).click();
    await page.getByText(/must be a decimal string.*without commas or a currency sign/).waitFor();
    await page.getByLabel('Amount, USD').fill('$2.5');
    await page.getByRole('button', { name: 'Credit it' }).click();
    await page.getByText('$7.500000000').waitFor();
    await customer.page.getByText('$7.500000000').first().waitFor();
    await customer.page.getByText('invoice 7').waitFor();
    expectNoFaults(operator);
    expectNoFaults(customer);
  });

  it('sets a limit, and keeps what another operator has changed meanwhile', async () => {
    const operator = await signIn('operator@example.com', `/operator/accounts?open=${accountId}`);
    const { page } = operator;
    await page.getByRole('button', { name: 'Limits' }).click();
    await administer('PATCH', `accounts/${accountId}`, { concurrency: 7 });
    await page.getByLabel('Requests a minute').fill('1,900');
    await page.keyboard.press('Enter');
    await page.getByLabel('Requests a minute').waitFor({ state: 'detached' });
    await page.getByText(/^The new limits hold for /).waitFor();
    const account = await administer('PATCH', `accounts/${accountId}`, {});
    expect(account).toMatchObject({ rpm: 1_900, concurrency: 7 });
    await administer('PATCH', `accounts/${accountId}`, { rpm: null, concurrency: null });
    expectNoFaults(operator);
  });

  it('suspends an account and resumes it, and says so each time', async () => {
    const operator = await signIn('operator@example.com', `/operator/accounts?open=${accountId}`);
    const { page } = operator;
    for (const [verb, outcome] of [
      ['Suspend', 'The account is suspended'],
      ['Resume', 'The account works again'],
    ] as const) {
      await page.getByRole('button', { name: verb }).click();
      await page.getByRole('button', { name: verb }).last().click();
      await page.getByText(outcome).waitFor();
    }
    expectNoFaults(operator);
  });

  it('pauses a channel, and the next request takes another', async () => {
    const operator = await signIn('operator@example.com');
    const { page } = operator;
    await page.getByRole('link', { name: 'Channels', exact: true }).click();
    await page.getByRole('combobox', { name: 'Vendor' }).click();
    await page.getByRole('option', { name: 'voyage' }).click();
    await page.getByRole('row').filter({ hasText: 'gemini' }).first().waitFor({ state: 'detached' });
    await open(page, 'voyage-one');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByLabel('Reason').fill('it leaked');
    await page.getByRole('button', { name: 'Pause' }).last().click();
    await page.getByRole('dialog').getByText('Paused').first().waitFor();
    await page.getByText(/it leaked/).waitFor();
    for (let call = 0; call < 3; call += 1) expect(await channelOfARequest()).toBe('voyage-two');
    await page.goto(at('/operator/alerts'));
    await page.getByText('voyage-one is paused.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'ChannelPaused' }).getByRole('button').click();
    await page.getByRole('dialog').getByRole('heading', { name: 'What it means' }).waitFor();
    expectNoFaults(operator);
  });

  it('reads the whole names of the queues on a phone', async () => {
    const operator = await signIn('operator@example.com', '/operator/queues?all=true', { viewport: PHONE });
    const { page } = operator;
    await page.getByRole('gridcell', { name: 'Requests of test keys' }).first().waitFor();
    expect(await page.evaluate<readonly string[]>(CUT_CELLS)).toEqual([]);
    expectNoFaults(operator);
  });

  it('says since when it is not connected, keeps what it shows, and comes back', async () => {
    const [operator, customer] = await Promise.all([
      signIn('operator@example.com', '/operator/accounts'),
      signIn('customer@example.com', '/requests'),
    ]);
    // Not a channel: a worker that is late with its report is away for a moment.
    const account = operator.page.getByRole('row').filter({ hasText: 'customer@example.com' });
    await account.waitFor();
    const requests = customer.page.getByRole('row').filter({ hasText: 'vg-4' });
    await requests.first().waitFor();
    const before = await requests.count();
    const notices = [operator.page, customer.page].map((page) => page.getByText('Not connected since'));
    const accounts = stack.system.instance('accounts');
    await accounts.kill();
    for (const notice of notices) await notice.waitFor();
    expect([await account.count(), await requests.count()]).toEqual([1, before]);
    await sendRequest();
    await accounts.start();
    for (const notice of notices) await notice.waitFor({ state: 'detached' });
    await requests.nth(before).waitFor();
    expectNoFaults(operator);
    expectNoFaults(customer);
  });

  it('looks at an account, and can change nothing meanwhile', async () => {
    const operator = await signIn('operator@example.com', `/operator/accounts?open=${accountId}`);
    const { page } = operator;
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.getByLabel('Reason').fill('ticket 12');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByText(/Nothing can be changed/).waitFor();
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'vg-4' }).first().waitFor();
    const statuses = await page.evaluate(async () => {
      const send = async (method: string, path: string) =>
        (await fetch(path, { method, headers: { 'content-type': 'application/json' }, body: '{"name":"x"}' })).status;
      return [
        await send('POST', '/account/keys'),
        await send('PATCH', '/account/settings'),
        await send('PATCH', '/account/person'),
      ];
    });
    expect(statuses).toEqual([403, 403, 403]);
    await page.getByRole('button', { name: 'Stop looking' }).click();
    await page.getByRole('dialog').getByText('customer@example.com').waitFor();
    const { data } = await administer('GET', `audit?account_id=${accountId}&administrator=Ann&action=account.`);
    const actions = data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['account.view', 'account.look', 'account.end_view']));
    expectNoFaults(operator);
  });

  it('finds a receipt with the address that its image came from', async () => {
    const { id, address } = await eventually(async () => {
      const requestId = await sendImage();
      const found = await administer('GET', `accounts/${accountId}/requests/${requestId}`);
      expect(found.fetched_results).toHaveLength(1);
      return { id: requestId, address: found.fetched_results[0].source_url as string };
    });
    expect(address).toContain(stack.system.simulatorUrl);
    const operator = await signIn('operator@example.com', `/operator/accounts?open=${accountId}`);
    const { page } = operator;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByLabel('Id of the request or of its task').fill(id);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('dialog').getByText(address, { exact: true }).waitFor();
    expect(await faultsOf(page, 'a receipt')).toEqual([]);
    expectNoFaults(operator);
  });

  it('uploads a bill, and sees what the receipts do not explain', async () => {
    const operator = await signIn('operator@example.com');
    const { page } = operator;
    await page.getByRole('link', { name: 'Prove the cent' }).click();
    await page.getByRole('row').filter({ hasText: 'Orphan holds' }).getByText('Right').waitFor();
    await page.getByRole('tab', { name: "Vendors' bills" }).click();
    await page.getByRole('button', { name: 'Upload a bill' }).click();
    const file = (text: string) => ({ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByLabel('Name').fill('November');
    await page.getByLabel('File').setInputFiles(file('day,model,cost_usd\nyesterday,gpt-5.4,1\n'));
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText(/line 2/).waitFor();
    await page.getByLabel('File').setInputFiles(file('day,model,cost_usd,upstream_id\n2026-10-10,gpt-5.4,0.25,up_9\n'));
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const bill = page.getByRole('dialog', { name: 'Bill beside the receipts' });
    await bill.getByRole('row').filter({ hasText: 'gpt-5.4' }).first().waitFor();
    await bill.getByRole('row').filter({ hasText: 'up_9' }).waitFor();
    expectNoFaults(operator);
  });

  it('reads sums of the margin that add up, and which days they are of', async () => {
    const operator = await signIn('operator@example.com', '/operator/proof?view=margin');
    const { page } = operator;
    const text = (await page.getByText(/^From .+ in UTC\. Together: /).textContent()) ?? '';
    const amounts = [...text.matchAll(/([−-]?)\$(\d+\.\d{9})/g)].map(([, sign, usd]) =>
      Number(`${sign ? '-' : ''}${usd}`),
    );
    const [paid = 0, ...less] = amounts;
    const margin = less.pop() ?? 0;
    expect(paid).toBeGreaterThan(0);
    expect(less.reduce((left, usd) => left - usd, paid)).toBeCloseTo(margin, 9);
    expectNoFaults(operator);
  });

  it('has pages without a fault of accessibility in either theme, which fit on a phone', async () => {
    const operator = await signIn('operator@example.com');
    const { page } = operator;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const found: string[] = [];
    const panels = [`/operator/accounts?open=${accountId}`, '/operator/channels?open=voyage-two'];
    for (const path of [...OPERATOR_PAGES, ...OPERATOR_VIEWS, ...panels]) {
      await openSettled(page, at(path));
      found.push(...(await faultsOf(page, path)));
    }
    expect(found).toEqual([]);
    expectNoFaults(operator);
  });
});

describe('every page of operators', () => {
  it('says that it loads, what went wrong, and how to go on; it fits when it is empty, or has long names', async () => {
    const operator = await signIn('operator@example.com');
    const { page } = operator;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    // The overview would read days of the other clock.
    await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
    await page.clock.install();
    expect(await faultsOfStates(page, OPERATOR_PAGES.map(at))).toEqual([]);
    expectNoFaults(operator);
  }, 400_000);
});

it('shows no page of operators to a customer, by its address neither', async () => {
  const customer = await signIn('customer@example.com');
  const { page } = customer;
  expect(await page.getByRole('link', { name: 'Channels', exact: true }).count()).toBe(0);
  for (const path of ['/operator/accounts', '/operator/system']) {
    await page.goto(at(path));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  }
  const statuses = await page.evaluate(async () =>
    Promise.all(
      ['accounts', 'channels', 'alerts', 'system'].map(async (path) => (await fetch(`/admin/${path}`)).status),
    ),
  );
  expect(statuses).toEqual([401, 401, 401, 401]);
  expectNoFaults(customer);
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, []));
