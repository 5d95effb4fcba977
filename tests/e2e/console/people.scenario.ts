import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { callJson, eventually, type NewKey, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page, Request, Route } from 'playwright-core';
import { mailLink } from './mail-links.js';
import { RARE, writeReceipts } from './many-receipts.js';
import { openBrowser, openPage, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';
import { faultsOf, openSettled } from './page-faults.js';
import { CUSTOMER_PAGES } from './pages.mjs';

const OWNER = 'owner@example.com';

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'accounts', 'sync-worker', 'api-edge'],
});
const { accountUrl, baseUrl } = stack.system;
const hosts = [accountUrl, baseUrl] as const;
const at = (path: string) => `${accountUrl}/console${path}`;

let browser: Browser;
let owner: string;

beforeAll(async () => {
  browser = await openBrowser();
  const registered = await stack.accounts.register(OWNER, PASSWORD);
  owner = registered.token;
  await callJson(`${accountUrl}/account/settings`, { method: 'PATCH', token: owner, body: { name: 'Example Works' } });
  await stack.accounts.credit(registered.account.id, '25', 'invoice 17');
  const { key }: NewKey = await stack.accounts.createKey(owner, 'website', { keep_contents: true });
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Say hello' }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
});

afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const open = (): Promise<WatchedPage> => openPage(browser, hosts);
const openAs = (email: string, path: string): Promise<WatchedPage> => openSignedIn(browser, hosts, { email, path });

const expectNoFaults = ({ faults }: WatchedPage) => expect(faults).toEqual({ console: [], otherHosts: [] });

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(at('/sign-in'));
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
}

/** Makes a member of each role without the pages. */
async function join(email: string, role: string): Promise<void> {
  await callJson(`${accountUrl}/account/invitations`, { method: 'POST', token: owner, body: { email, role } });
  const link = await mailLink(stack, 'invitation', email);
  const body = { token: new URL(link, accountUrl).searchParams.get('token'), password: PASSWORD };
  await callJson(`${accountUrl}/account/invitations/accept`, { method: 'POST', body });
}

const pages = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

describe('an invitation', () => {
  const email = 'ada@example.com';

  it('leads from the owner over the mail to a member, once', async () => {
    const watched = await openAs(OWNER, '/account');
    const { page } = watched;
    await page.getByRole('tab', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByLabel('E-mail').fill(OWNER);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('must not be the address of a member').waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('list', { name: 'Invitations' }).getByText(email).waitFor();
    await page.getByRole('button', { name: `Send again to ${email}` }).click();
    const link = await mailLink(stack, 'invitation', email, 2);

    const invited = await open();
    await invited.page.goto(at(link));
    await invited.page.getByRole('heading', { name: 'Join Example Works' }).waitFor();
    await invited.page.getByText(`${email} is invited as Developer.`).waitFor();
    await invited.page.getByLabel('Your name').fill('Ada');
    await invited.page.getByLabel('Password').fill(PASSWORD);
    await invited.page.getByRole('button', { name: 'Join' }).click();
    await invited.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await pages(invited.page).getByRole('link', { name: 'Keys' }).waitFor();
    expect(await pages(invited.page).getByRole('link', { name: 'Billing' }).count()).toBe(0);
    await invited.page.goto(at('/billing'));
    await invited.page.getByText('You are Developer here. The page needs Billing').waitFor();
    await invited.page.goto(at(link));
    await invited.page.getByText('The code was used already').waitFor();

    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Ada' }).click();
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Billing' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('button', { name: 'Remove this member' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Ada' }).waitFor({ state: 'detached' });

    await invited.page.goto(at('/'));
    await invited.page.getByRole('heading', { name: 'You work in no organisation' }).waitFor();
    await invited.page.getByRole('main').getByRole('link', { name: 'Your organisations' }).click();
    await invited.page.getByRole('button', { name: 'New organisation' }).click();
    await invited.page.getByLabel('Name', { exact: true }).fill('Own Works');
    await invited.page.getByRole('button', { name: 'Create organisation' }).click();
    await invited.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expectNoFaults(watched);
    expectNoFaults(invited);
  });

  it('of a known person says who is signed in instead, and leads to the sign-in', async () => {
    await stack.accounts.register('known@example.com', PASSWORD);
    await stack.accounts.register('other@example.com', PASSWORD);
    const proof = await mailLink(stack, 'confirm', 'known@example.com');
    const [token] = new URL(proof, accountUrl).searchParams.values();
    await callJson(`${accountUrl}/account/confirmations`, { method: 'POST', body: { token } });
    const body = { email: 'known@example.com', role: 'viewer' };
    await callJson(`${accountUrl}/account/invitations`, { method: 'POST', token: owner, body });
    const link = await mailLink(stack, 'invitation', body.email);
    const watched = await openAs('other@example.com', link);
    const { page } = watched;
    await page.getByText('You are signed in as other@example.com').waitFor();
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('You joined Example Works').waitFor();
    expect(await page.getByLabel('E-mail').inputValue()).toBe(body.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Change the organisation' }).click();
    await page.getByRole('menuitemradio', { name: 'Example Works' }).click();
    await page.getByRole('main').getByText('Example Works').waitFor();
    expectNoFaults(watched);
  });
});

it('a forgotten password is replaced by the link of a mail, which ends every session', async () => {
  const email = 'forgetful@example.com';
  await stack.accounts.register(email, PASSWORD);
  const signedIn = await openAs(email, '/');
  const watched = await open();
  const { page } = watched;
  await page.goto(at('/sign-in'));
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // Both pages have a field of this name: the text must not go to the one that is leaving.
  await page.getByRole('button', { name: 'Send the link' }).waitFor();
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText(`If ${email} has a login`).waitFor();
  const link = await mailLink(stack, 'reset', email);
  await page.goto(at(link));
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('must have at least 8 characters').waitFor();
  await page.getByLabel('New password').fill('another long one');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Every session has ended').waitFor();
  await page.goto(at(link));
  await page.getByLabel('New password').fill('a third long one');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The code was used already').waitFor();
  await signedIn.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signIn(page, email, 'another long one');
  const confirm = await mailLink(stack, 'confirm', email);
  await page.goto(at(confirm));
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByText(`From now on you sign in with ${email}`).waitFor();
  await page.goto(at('/confirm?token=half'));
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByText('Must be the code of a mail').waitFor();
  await page.goto(at('/reset-password'));
  await page.getByText('The address has no code.').waitFor();
  expectNoFaults(watched);
});

it('a person sees where sessions are, and ends one', async () => {
  const email = 'sessions@example.com';
  const { token } = await stack.accounts.register(email, PASSWORD);
  const watched = await openAs(email, '/account');
  const { page } = watched;
  const sessions = page.getByRole('list', { name: 'Sessions' });
  await sessions.getByRole('listitem').nth(1).waitFor();
  await sessions.getByText('this one').waitFor();
  await sessions.getByRole('button', { name: 'End the session of' }).click();
  await sessions.getByRole('listitem').nth(1).waitFor({ state: 'detached' });
  await expect(callJson(`${accountUrl}/account/session`, { token })).rejects.toMatchObject({ status: 401 });
  await page.getByLabel('Your name').fill('Grace');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  expectNoFaults(watched);
});

it('a key with a budget makes a child, is replaced, and ends with it', async () => {
  const watched = await openAs(OWNER, '/keys');
  const { page } = watched;
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('agents');
  await page.getByLabel('Budget in all, USD').fill('2');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row').filter({ hasText: 'agents' }).click();
  const panel = page.getByRole('dialog', { name: 'agents' });
  await panel.getByText('$2.000000000').waitFor();
  await panel.getByRole('button', { name: 'New child key' }).click();
  const child = page.getByRole('dialog', { name: 'New child key' });
  await child.getByLabel('Name').fill('researcher');
  await child.getByLabel('Budget, USD').fill('5');
  await child.getByRole('button', { name: 'Create child key' }).click();
  await child.getByText('the parent key may spend $2').waitFor();
  await child.getByLabel('Budget, USD').fill('0.5');
  await child.getByRole('button', { name: 'Create child key' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await panel.getByRole('listitem').filter({ hasText: 'researcher' }).getByText('Active').waitFor();
  await panel.getByText('$1.500000000').waitFor();
  await panel.getByLabel('Requests per minute').fill('30');
  await panel.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await panel.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByRole('button', { name: 'Revoke the child key' }).click();
  await panel.getByText('Revoked').waitFor();
  await panel.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByText('The former key works until').waitFor();
  expectNoFaults(watched);
});

it('the owner sees who changed what, and what was refused', async () => {
  const revoke = callJson(`${accountUrl}/account/keys/key_unknown`, { method: 'DELETE', token: owner });
  await expect(revoke).rejects.toMatchObject({ status: 404 });
  const { name } = await callJson<{ name: string }>(`${accountUrl}/account/person`, { token: owner });
  const watched = await openAs(OWNER, '/account?tab=changes');
  const { page } = watched;
  const entries = page.getByRole('grid', { name: 'Changes' }).getByRole('row').filter({ hasText: name });
  await entries.filter({ hasText: 'key.' }).filter({ hasText: 'not_found' }).first().waitFor();
  await entries.filter({ hasText: 'done' }).first().waitFor();
  expectNoFaults(watched);
});

it('the owner sees where the money went, and downloads a statement that equals the ledger', async () => {
  const watched = await openAs(OWNER, '/');
  const { page } = watched;
  await page.getByText('= ledger, difference $0.000000000').waitFor();
  await page.getByRole('combobox', { name: 'And by' }).click();
  await page.getByRole('option', { name: 'Key' }).click();
  await page.getByRole('grid', { name: 'Cost by model, key' }).getByText('website').waitFor();
  await page.getByRole('link', { name: 'Its entries' }).click();
  const statement = page.getByRole('dialog', { name: 'Statement of' });
  await statement.getByText('= ledger, difference $0.000000000').waitFor();
  for (const [name, head] of [
    ['CSV, every entry', ''],
    ['PDF, for the books', '%PDF-'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      statement.getByRole('link', { name }).click(),
    ]);
    const file = await readFile(await download.path(), 'latin1');
    expect(file.length).toBeGreaterThan(100);
    expect(file.startsWith(head)).toBe(true);
    expect(download.suggestedFilename()).toMatch(/^statement-\d{4}-\d{2}\.(csv|pdf)$/);
  }
  await page.keyboard.press('Escape');
  await page.getByLabel('Low balance, USD').fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').waitFor();
  await page.getByRole('grid', { name: 'Ledger' }).getByText('invoice 17').waitFor();
  expectNoFaults(watched);
});

it('the owner reads the prompt and the answer of a key that keeps them', async () => {
  const watched = await openAs(OWNER, '/requests');
  const { page } = watched;
  await page.getByRole('row').filter({ hasText: 'gm-2.5-flash' }).click();
  const receipt = page.getByRole('dialog', { name: 'Request' });
  await receipt.getByRole('button', { name: 'Show them' }).click();
  await receipt.getByRole('figure', { name: 'Prompt' }).getByText('Say hello').waitFor();
  await receipt.getByRole('figure', { name: 'Answer' }).getByText('chat.completion').waitFor();
  await receipt.getByRole('link', { name: 'Try this prompt again' }).click();
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Say hello');
  expectNoFaults(watched);
});

it('an owner deletes the organisation by its name, and works in none', async () => {
  const email = 'founder@example.com';
  const founder = await stack.accounts.register(email, PASSWORD);
  const name = 'Short Lived';
  await callJson(`${accountUrl}/account/settings`, { method: 'PATCH', token: founder.token, body: { name } });
  const watched = await openAs(email, '/account?tab=organisation');
  const { page } = watched;
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByLabel(`Type ${name} to confirm`).fill(name);
  await page.getByRole('button', { name: 'Delete for good' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto(at('/keys'));
  await page.getByRole('heading', { name: 'You work in no organisation' }).waitFor();
  expectNoFaults(watched);
});

/** How long nothing must be under way: a page begins its reads in the frame in which it is drawn. */
const IDLE_MS = 100;

/** Counts what the page asks for, apart from its streams. Returns a wait until nothing is under way any more. */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let changes = 0;
  const end = (request: Request) => {
    changes += 1;
    open.delete(request);
  };
  page.on('request', (request) => {
    changes += 1;
    if (request.headers().accept !== 'text/event-stream') open.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return () =>
    eventually(async () => {
      const before = changes;
      await setTimeout(IDLE_MS);
      if (open.size > 0 || changes !== before) throw new Error(`${open.size} requests are under way`);
    });
}

/** Without a new document: the router follows the address. */
const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate(`history.pushState({}, '', '${at(path)}'); dispatchEvent(new PopStateEvent('popstate'))`);

it('pages of people and of mails have no fault of accessibility in either theme, and fit on a phone', async () => {
  const watched = await openPage(browser, hosts, { reducedMotion: 'reduce' });
  const { page } = watched;
  const found: string[] = [];
  const email = 'guest@example.com';
  await callJson(`${accountUrl}/account/invitations`, {
    method: 'POST',
    token: owner,
    body: { email, role: 'viewer' },
  });
  const invitation = await mailLink(stack, 'invitation', email);
  const mails = [invitation, '/accept-invitation?token=old', '/confirm?token=old', '/reset-password?token=old'];
  for (const path of [...mails, '/forgot-password']) {
    await openSettled(page, at(path));
    found.push(...(await faultsOf(page, path)));
  }
  await signIn(page, OWNER);
  for (const tab of ['you', 'members', 'organisation', 'api', 'changes']) {
    await openSettled(page, at(`/account?tab=${tab}`));
    found.push(...(await faultsOf(page, tab)));
  }
  await openSettled(page, at('/account?tab=members'));
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').waitFor();
  found.push(...(await faultsOf(page, 'invite')));
  expect(found).toEqual([]);
  expectNoFaults(watched);
});

describe.each(['owner', 'developer', 'billing', 'viewer'])('the pages for the role %s', (role) => {
  it('ask for nothing that the role may not read', async () => {
    const email = role === 'owner' ? OWNER : `${role}@example.com`;
    if (role !== 'owner') await join(email, role);
    const watched = await openAs(email, '/');
    const { page } = watched;
    const settled = watchRequests(page);
    const refused: string[] = [];
    let path = '';
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${path}: ${response.status()} ${new URL(response.url()).pathname}`);
    });
    for (path of [...CUSTOMER_PAGES, '/account?tab=api', '/keys?make=key', '/webhooks?make=endpoint']) {
      await follow(page, path);
      await settled();
      await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
    }
    expect(refused).toEqual([]);
    expectNoFaults(watched);
  });
});

describe('100,000 requests in the store', () => {
  const MANY = 100_000;
  /** What fits on a screen, and some rows beside it. */
  const MOST_DRAWN = 80;
  /** A page of the list costs some milliseconds of a processor. A list that read all rows would cost seconds. */
  const MOST_SECONDS_EACH = 0.25;
  const ROW_PX = 36;
  /** The page with its code needs 10 to 20 MB, and a loaded row about a kilobyte. */
  const MOST_HEAP_BYTES = 96 * 1_048_576;
  const PAGES_SCROLLED = 5;
  /** Each page waits for its predecessor, on a machine that runs other browsers too. */
  const PATIENCE = { withinMs: 90_000 };
  const SCROLL_TO_END = `(() => {
    const list = document.querySelector('[role="grid"][aria-label="Requests"]');
    list.scrollTo(0, list.scrollHeight);
  })()`;
  const email = 'many@example.com';
  let token: string;

  const list = async (query: string) => {
    const response = await fetch(`${accountUrl}/account/requests?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    return response;
  };

  const rowsOf = (page: Page, count: number, timeout = 30_000) =>
    page.locator(`[role="grid"][aria-label="Requests"][aria-rowcount="${count + 1}"]`).waitFor({ timeout });

  async function processorSeconds(): Promise<number> {
    const metrics = await (await fetch(`${stack.system.instance('accounts').url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total\{.*\} (\S+)$/m.exec(metrics)?.[1]);
  }

  beforeAll(async () => {
    const registered = await stack.accounts.register(email, PASSWORD);
    token = registered.token;
    const { id }: NewKey = await stack.accounts.createKey(token, 'busy', {});
    const receipts = { accountId: registered.account.id, keyId: id, count: MANY };
    await writeReceipts(stack.system.databaseUrl, receipts);
  });

  it('are listed with the work of one page, whatever is asked for', async () => {
    const queries = [
      'limit=100',
      'limit=100&order=oldest',
      'limit=100&model=gm-2.5-pro',
      'limit=100&outcome=completed',
    ];
    const before = await processorSeconds();
    for (const query of queries) expect(await (await list(query)).json()).toHaveProperty('data.99');
    expect(((await processorSeconds()) - before) / queries.length).toBeLessThan(MOST_SECONDS_EACH);
    const none = (await (await list('limit=100&status=5xx')).json()) as { data: unknown[] };
    expect(none.data).toEqual([]);
  });

  it('are drawn a screenful at a time, read page by page, and kept in little memory', async () => {
    const watched = await openAs(email, '/');
    const { page } = watched;
    const later: string[] = [];
    page.on('request', (request) => {
      if (/account\/requests\?.*cursor=/.test(request.url())) later.push(request.url());
    });
    await page.goto(at('/requests'));
    const table = page.getByRole('grid', { name: 'Requests' });
    // One scroll may stop short of the end of a page that grows, and two may ask for two pages of rows. A short list is
    // read again whole after a break of the event stream, so a page may be asked for twice.
    const allLoaded = () => eventually(() => rowsOf(page, (new Set(later).size + 1) * 100, 1_000), PATIENCE);
    let mostDrawn = 0;
    await rowsOf(page, 100);
    await eventually(async () => {
      await page.evaluate(SCROLL_TO_END);
      await allLoaded();
      mostDrawn = Math.max(mostDrawn, await table.getByRole('row').count());
      expect(new Set(later).size).toBeGreaterThanOrEqual(PAGES_SCROLLED);
    }, PATIENCE);
    expect(mostDrawn).toBeLessThan(MOST_DRAWN);
    // A page that is still on its way would rightly be asked for again.
    await allLoaded();
    // Who comes back to the window reads what is new, and not each page again.
    const read = new Set(later);
    const readBefore = later.length;
    const head = page.waitForResponse((response) => /account\/requests\?limit=100$/.test(response.url()));
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
    await head;
    await allLoaded();
    expect(later.slice(readBefore).filter((url) => read.has(url))).toEqual([]);
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devTools.send('Runtime.getHeapUsage');
    expect(usedSize).toBeLessThan(MOST_HEAP_BYTES);
    await page.goto(at('/requests?model=gm-2.5-pro'));
    await rowsOf(page, MANY / RARE);
    expectNoFaults(watched);
  });

  it('go on to the next page although the list is read again while that page loads', async () => {
    const watched = await openAs(email, '/');
    const { page } = watched;
    const held: Route[] = [];
    let isHeld = true;
    await page.route(/account\/requests\?.*cursor=/, async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    await page.goto(at('/requests'));
    await rowsOf(page, 100);
    await page.evaluate(SCROLL_TO_END);
    await eventually(() => expect(held).toHaveLength(1));
    // A break of the event stream: what it may have missed is read again.
    const again = page.waitForResponse((response) => /account\/requests\?limit=100$/.test(response.url()));
    await page.evaluate(`dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'));`);
    await again;
    isHeld = false;
    // The page ended the first one itself.
    await Promise.allSettled(held.map((route) => route.continue()));
    await rowsOf(page, 200);
    expectNoFaults(watched);
  });

  it('are printed as far as they are loaded, without what a screen has', async () => {
    const { page } = await openAs(email, '/requests');
    await rowsOf(page, 100);
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const rows = page.getByRole('grid', { name: 'Requests' }).getByRole('row');
    await eventually(async () => expect(await rows.count()).toBe(101));
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(
      await rows.first().getByRole('button').count(),
    );
    const height = await page.evaluate<number>(`document.querySelector('[role="grid"]').clientHeight`);
    expect(height).toBeGreaterThan(100 * ROW_PX);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await eventually(async () => expect(await rows.count()).toBeLessThan(MOST_DRAWN));
  });

  it('are one CSV file, each request once', async () => {
    const [head, ...lines] = (await (await list('format=csv')).text()).trimEnd().split('\r\n');
    expect(head).toContain('request_id');
    const column = head?.split(',').indexOf('request_id') ?? -1;
    expect(lines).toHaveLength(MANY);
    expect(new Set(lines.map((line) => line.split(',')[column])).size).toBe(MANY);
  });
});
