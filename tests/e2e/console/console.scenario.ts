import { eventually, startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { openBrowser, openPage, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';
import { faultsOf, openSettled } from './page-faults.js';
import { CUSTOMER_PAGES, CUSTOMER_VIEWS } from './pages.mjs';

/** Elements that take longer than a frame to change. */
const MOVING_ELEMENTS =
  '[...document.querySelectorAll("*")].filter((one) => parseFloat(getComputedStyle(one).transitionDuration) > 0.016).length';

const stack = await startTestStack();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const accountUrl = stack.system.accountUrl;
const hosts = [accountUrl, stack.system.baseUrl] as const;
/** The other scenarios look at media, at people and at the playground. */
const PAGES = [...CUSTOMER_PAGES, ...CUSTOMER_VIEWS].filter((path) => !/^\/(media|account\?|playground)/.test(path));

const at = (path: string) => `${accountUrl}/console${path}`;

const open = (options = {}): Promise<WatchedPage> => openPage(browser, hosts, options);
const signIn = (email: string, path: string, options = {}): Promise<WatchedPage> =>
  openSignedIn(browser, hosts, { email, path, ...options });

const expectNoFaults = ({ faults }: WatchedPage) => expect(faults).toEqual({ console: [], otherHosts: [] });

async function ask(apiKey: string, model = 'gm-2.5-flash'): Promise<string> {
  const response = await fetch(`${stack.system.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Say hello' }] }),
  });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

/** Collects the days that a chart writes below its line, with their place. */
const COLLECT_DAYS = `globalThis.drawnDays = new Set();
const fillText = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
  if (/^[A-Z][a-z]{2} [0-9]+$/.test(text)) drawnDays.add(text + ' at ' + Math.round(x));
  return fillText.call(this, text, x, ...rest);
}`;

/** Counts what a person presses, over the documents of a tab. */
const COUNT_CLICKS = `addEventListener('click', ({ isTrusted }) => {
  if (isTrusted) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1));
}, true)`;
const clicks = (page: Page): Promise<number> => page.evaluate<number>("Number(sessionStorage.getItem('clicks'))");

describe('a new customer', () => {
  it('needs no credit and four clicks to see a first answer', async () => {
    const watched = await open();
    const { page } = watched;
    await page.addInitScript(COUNT_CLICKS);
    await page.goto(at('/'));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    await page.getByLabel('E-mail').fill('curious@example.com');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('No credit is left').waitFor();
    await page.getByRole('button', { name: 'Make a test key' }).click();
    const key = page.getByRole('figure', { name: 'Your key' }).locator('code');
    await page.getByText('Listening for your request').waitFor();
    const requestId = await ask((await key.textContent()) ?? '');
    await page.getByText('Completed').waitFor();
    await page.getByRole('link', { name: 'Its receipt' }).click();
    await page.getByRole('dialog').getByText(requestId).waitFor();
    expect(await clicks(page)).toBe(4);
    expectNoFaults(watched);
  });

  it('registers, makes a key, sees the first call arrive, and reads its receipt', async () => {
    const watched = await open();
    const { page } = watched;
    await page.goto(at('/'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Create an account' }).click();
    // Both pages have these fields: the text must not go to the one that is leaving.
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    await page.getByLabel('E-mail').fill('new@example.com');
    await page.getByLabel('Password').fill('short');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('must have at least 8 characters').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'First call' }).waitFor();
    const session = await page.evaluate(async () => (await fetch('/account/session')).json());
    const { id } = (session as { account: { id: string } }).account;
    await stack.accounts.credit(id, '5', 'first credit');
    await page.getByRole('button', { name: 'Make a key' }).click();
    const apiKey = (await page.getByRole('figure', { name: 'Your key' }).locator('code').textContent()) ?? '';
    expect(await page.getByRole('figure', { name: 'curl' }).textContent()).toContain(apiKey);
    await page.getByText('Listening for your request').waitFor();
    const requestId = await ask(apiKey);
    await page.getByText('Completed').waitFor();
    await page.getByRole('link', { name: 'Its receipt' }).click();
    await page.getByRole('dialog').getByText(requestId).waitFor();
    await page.getByRole('dialog').getByText('Where the time went').waitFor();
    expect(page.url()).toContain(`open=${requestId}`);
    expectNoFaults(watched);
  });
});

describe('a customer', () => {
  const email = 'customer@example.com';
  let apiKey: string;
  let receiptId: string;

  beforeAll(async () => {
    const { token, account } = await stack.accounts.register(email, PASSWORD);
    await stack.accounts.credit(account.id, '10', 'a credit');
    apiKey = (await stack.accounts.createKey(token, 'website', {})).key;
    receiptId = await ask(apiKey);
    await ask(apiKey, 'cl-sonnet-4-6');
  });

  it('sees requests arrive by themselves, and filters them by the address', async () => {
    const watched = await signIn(email, '/');
    const { page } = watched;
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
    const rows = page.getByRole('grid', { name: 'Requests' }).getByRole('row');
    await expectRows(page, 2);
    const requestId = await ask(apiKey);
    await expectRows(page, 3);
    await page.goto(at(`/requests?request_id=${requestId}`));
    await expectRows(page, 1);
    await rows.nth(1).click();
    await page.getByRole('dialog').getByText(requestId).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expectNoFaults(watched);
  });

  it('finds the requests of one key, and turns long lists around by the title of the time', async () => {
    const watched = await signIn(email, '/requests');
    const { page } = watched;
    await page.getByRole('combobox', { name: 'Key' }).click();
    await page.getByRole('option', { name: 'website' }).click();
    await page.waitForURL(/key_id=/);
    for (const [path, list] of [
      ['/requests', 'Requests'],
      ['/billing', 'Ledger'],
    ] as const) {
      await page.goto(at(path));
      const times = page.getByRole('grid', { name: list, exact: true }).getByRole('columnheader', { name: 'Time' });
      const sorted = (order: string) => page.locator(`[aria-label="${list}"] [aria-sort="${order}"]`).waitFor();
      await sorted('descending');
      const oldest = page.waitForResponse((response) => /order=oldest/.test(response.url()));
      await times.getByRole('button').click();
      expect((await oldest).status()).toBe(200);
      await sorted('ascending');
      await times.getByRole('button').click();
      await sorted('descending');
    }
    expectNoFaults(watched);
  });

  it('chooses the columns of a table, and finds them again', async () => {
    const watched = await signIn(email, '/requests');
    const { page } = watched;
    const title = (name: string) => page.getByRole('columnheader', { name, exact: true });
    await title('Endpoint').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Endpoint' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Input tokens' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await title('Input tokens').waitFor();
    expect(await title('Endpoint').count()).toBe(0);
    // A phone has a choice of its own: it begins with few columns, and can show all.
    await page.setViewportSize({ width: 390, height: 860 });
    await title('Input tokens').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Status' }).click();
    await title('Status').waitFor();
    await page.getByRole('menuitem', { name: 'Show the usual ones' }).click();
    await title('Status').waitFor({ state: 'detached' });
    expectNoFaults(watched);
  });

  it('leaves out columns on a small laptop, and shows those that the person asks for', async () => {
    const watched = await signIn(email, '/requests', { viewport: { width: 1024, height: 768 } });
    const { page } = watched;
    const title = (name: string) => page.getByRole('columnheader', { name, exact: true });
    await title('Cost').waitFor();
    await title('Endpoint').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Endpoint' }).click();
    await title('Endpoint').waitFor();
    await page.getByRole('menuitem', { name: 'Show the usual ones' }).click();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1360, height: 768 });
    await title('Endpoint').waitFor();
    expectNoFaults(watched);
  });

  it('reads that an address opens nothing, and finds a model by its other name', async () => {
    const watched = await signIn(email, '/keys?open=key_unknown');
    const { page } = watched;
    for (const path of ['/keys?open=key_unknown', '/media?view=files&open=file_unknown']) {
      await page.goto(at(path));
      await page.getByText('Nothing here has the id').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByText('Nothing here has the id').waitFor({ state: 'detached' });
    }
    await page.goto(at('/no/such/page'));
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Models' }).waitFor();
    await page.goto(at('/models?q=claude-'));
    await page.getByRole('row').filter({ hasText: 'cl-' }).first().waitFor();
    await page.goto(at('/sign-in?back=/billing'));
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor();
    expectNoFaults(watched);
  });

  it('makes a key with a cap, sees it once, and revokes it', async () => {
    const watched = await signIn(email, '/keys');
    const { page } = watched;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('for a day');
    await page.getByRole('button', { name: 'Add a cap' }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText(/above zero|decimal/).waitFor();
    await page.getByLabel('Limit').fill('2.50');
    await page.getByRole('button', { name: 'Create key' }).click();
    const made = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
    await ask(made);
    await page.getByRole('button', { name: 'Done' }).click();
    // Not `Spent`: the overview shows charges by key, and running videos are none yet.
    await page.getByRole('columnheader', { name: 'Spent and held' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'for a day' }).click();
    await page.getByRole('button', { name: 'Revoke this key' }).click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'for a day' }).waitFor({ state: 'detached' });
    expectNoFaults(watched);
  });

  it('sees what is wrong with a form that is taller than its dialog', async () => {
    const watched = await signIn(email, '/keys?make=key', { viewport: { width: 1360, height: 500 } });
    const { page } = watched;
    const create = page.getByRole('button', { name: 'Create key' });
    await create.click();
    await page.locator('[role="dialog"] input[aria-invalid="true"]:focus').waitFor();
    expect(await isInView(page, '[role="dialog"] input:focus')).toBe(true);
    const json = { error: { message: 'The service is away.', type: 'x', code: 'service_unavailable', param: null } };
    await page.route('**/account/keys', (route) => route.fulfill({ status: 503, json }));
    await page.getByLabel('Name').fill('refused');
    await create.click();
    await page.getByRole('alert').filter({ hasText: 'The service is away.' }).waitFor();
    expect(await isInView(page, '[role="dialog"] [role="alert"]')).toBe(true);
    await page.locator('[role="dialog"] button[type="submit"]:focus').waitFor();
    expectNoFaults(watched);
  });

  it('makes one key, although the button is pressed twice within a frame', async () => {
    const watched = await signIn(email, '/keys?make=key');
    const { page } = watched;
    await page.getByLabel('Name').fill('only once');
    await page.evaluate(`(() => {
      const button = document.querySelector('[role="dialog"] button[type="submit"]');
      button.click();
      button.click();
    })()`);
    await page.getByRole('button', { name: 'Done' }).click();
    const rows = page.getByRole('row').filter({ hasText: 'only once' });
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    expectNoFaults(watched);
  });

  it('reaches everything by the keys, and the focus returns', async () => {
    const watched = await open({ reducedMotion: 'reduce' });
    const { page } = watched;
    await page.goto(at('/sign-in'));
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    // The palette listens once it is loaded.
    await eventually(async () => {
      await page.keyboard.press('Control+k');
      await page.getByLabel('Go to a page, or paste a request id').waitFor({ timeout: 1_000 });
    });
    await page.keyboard.type('requests');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    const first = page.getByRole('grid', { name: 'Requests' }).getByRole('row').nth(1);
    await first.waitFor();
    await first.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Where the time went').waitFor();
    await page.locator('[role="dialog"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('[role="row"]:focus').waitFor();
    const moving = await page.evaluate<number>(MOVING_ELEMENTS);
    expect(moving).toBe(0);
    expectNoFaults(watched);
  });

  it('makes and revokes a key, and changes the theme, by the keys alone', async () => {
    const watched = await signIn(email, '/keys', { reducedMotion: 'reduce' });
    const { page } = watched;
    await page.getByRole('button', { name: 'New key' }).waitFor();
    await tabTo(page, 'New key');
    await page.keyboard.press('Enter');
    await page.locator('[role="dialog"] input:focus').waitFor();
    await page.keyboard.type('by the keys');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Done' }).waitFor();
    await tabTo(page, 'Done');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'by the keys' });
    await row.waitFor();
    // A list is one stop; the arrows lead through it.
    await tabTo(page, 'website');
    await eventually(async () => {
      await page.keyboard.press('ArrowDown');
      expect(await page.evaluate<string>(FOCUSED_NAME)).toMatch(/^by the keys/);
    });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Revoke this key' }).waitFor();
    await tabTo(page, 'Revoke this key');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Revoke', exact: true }).waitFor();
    await tabTo(page, 'Revoke');
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'Theme');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Dark', checked: false }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.locator('button[aria-label="Theme"]:focus').waitFor();
    expectNoFaults(watched);
  });

  it('shows what is chosen and what is pressed without its own colours', async () => {
    const watched = await signIn(email, '/keys', { forcedColors: 'active' });
    const { page } = watched;
    const styleOf = (locator: Locator, property: string) =>
      locator.evaluate(
        (element, name) => String((element as unknown as Styled).computedStyleMap().get(name)),
        property,
      );
    await page.getByRole('link', { name: 'Keys', exact: true }).waitFor();
    const links = page.getByRole('navigation', { name: 'Pages' });
    expect(await styleOf(links.getByRole('link', { name: 'Keys' }), 'text-decoration-line')).toBe('underline');
    expect(await styleOf(links.getByRole('link', { name: 'Models' }), 'text-decoration-line')).toBe('none');
    expect(await styleOf(page.getByRole('button', { name: 'New key' }), 'border-top-width')).toBe('1px');
    await page.getByRole('button', { name: 'Theme' }).click();
    await page.keyboard.press('ArrowDown');
    const item = page.locator('[role="menuitemradio"][data-highlighted]');
    expect(await styleOf(item, 'outline-style')).toBe('solid');
    expect(await styleOf(page.getByRole('menu'), 'border-top-width')).toBe('1px');
    await page.keyboard.press('Escape');
    await page.goto(at('/account'));
    const tabs = page.getByRole('tablist').getByRole('tab');
    expect(await styleOf(tabs.nth(0), 'border-bottom-width')).toBe('2px');
    expect(await styleOf(tabs.nth(1), 'border-bottom-width')).toBe('0px');
    expectNoFaults(watched);
  });

  it('says that it loads while the session takes its time', async () => {
    const watched = await signIn(email, '/account');
    const { page } = watched;
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/account/session', async (route) => {
      await isAnswered;
      await route.continue();
    });
    const asked = page.waitForRequest('**/account/session');
    await page.goto(at('/requests'));
    await asked;
    await page.clock.runFor(200);
    await page.getByLabel('Loading').waitFor({ state: 'attached' });
    answer();
    await page.clock.resume();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    expectNoFaults(watched);
  });

  it('changes the language, and it stays', async () => {
    const watched = await signIn(email, '/');
    const { page } = watched;
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: '中文' }).click();
    await page.getByRole('heading', { name: '概览' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '概览' }).waitFor();
    // What the server says and what it bills is in the language of the page, too.
    await page.goto(at('/models'));
    await page.getByText('百万 输入 token').first().waitFor();
    // One English word, two meanings: the status of a task is no status of HTTP, and the live mode is not the live page.
    await page.goto(at('/media?view=batches'));
    await page.getByRole('combobox', { name: '状态', exact: true }).waitFor();
    await page.getByRole('combobox', { name: '模式' }).filter({ hasText: '正式' }).waitFor();
    await page.context().clearCookies();
    await page.goto(at('/sign-in'));
    await page.getByLabel('邮箱').fill(email);
    await page.getByLabel('密码', { exact: true }).fill('a wrong one');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: '邮箱或密码不正确。' }).waitFor();
    expectNoFaults(watched);
  });

  it('is English while the words of another language do not come', async () => {
    const { page } = await open({ locale: 'zh-CN' });
    await page.route(/\/assets\/zh-/, (route) => route.abort('internetdisconnected'));
    await page.goto(at('/sign-in'));
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: '中文', checked: false }).click();
    await page.getByText('The language was not changed').waitFor();
    await page.getByText('A part of the page did not come.').waitFor();
  });

  it('reads one request of a day as one', async () => {
    const watched = await signIn(email, '/models');
    const { page } = watched;
    const line = { day: new Date().toISOString().slice(0, '2026-11-22'.length), requests: 1, cost_usd: '0.01' };
    await page.route(/\/account\/usage\?.*group_by=day/, (route) => route.fulfill({ json: { data: [line] } }));
    await page.goto(at('/'));
    const chart = page.getByRole('figure', { name: 'Requests by day' });
    await chart.focus();
    await page.keyboard.press('ArrowRight');
    await chart.getByText(/: 1 request$/).waitFor();
    expectNoFaults(watched);
  });

  it('sees the name of a day below its point, wherever the browser is', async () => {
    const drawn = [];
    for (const timezoneId of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
      const watched = await signIn(email, '/', { timezoneId });
      const { page } = watched;
      await page.addInitScript(COLLECT_DAYS);
      await page.reload();
      await page.getByRole('figure', { name: 'Cost by day' }).locator('canvas').waitFor();
      await eventually(async () => expect(await page.evaluate<number>('drawnDays.size')).toBeGreaterThan(3));
      drawn.push(await page.evaluate<readonly string[]>('[...drawnDays]'));
      expectNoFaults(watched);
      await page.context().close();
    }
    expect(drawn[1]).toEqual(drawn[0]);
    expect(drawn[2]).toEqual(drawn[0]);
  });

  it('announces which page opens', async () => {
    const watched = await signIn(email, '/');
    const { page } = watched;
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Models · Gateway' }).waitFor({ state: 'attached' });
    expectNoFaults(watched);
  });

  it('has no fault of accessibility in either theme, and fits on a phone', async () => {
    const watched = await signIn(email, '/', { reducedMotion: 'reduce' });
    const { page } = watched;
    const found: string[] = [];
    for (const path of [...PAGES, `/requests?open=${receiptId}`]) {
      // The page of parts shows the part for loading, too.
      await openSettled(page, at(path), path !== '/parts');
      found.push(...(await faultsOf(page, path)));
    }
    expect(found).toEqual([]);
    expectNoFaults(watched);
  });
});

/** Whether nothing lies above the element, at its upper and at its lower end. */
const isInView = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate<boolean>(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const { left, top, bottom } = element.getBoundingClientRect();
    return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint(left + 8, y)));
  })()`);

/** The part of an element of the browser that the tests read. */
interface Styled {
  computedStyleMap(): { get(property: string): unknown };
}

const MOST_STOPS = 80;
const FOCUSED_NAME = `(() => {
  const { activeElement: element } = document;
  return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
})()`;

/** Presses Tab until what has the focus begins with these words: no other way leads there without a mouse. */
async function tabTo(page: Page, words: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < MOST_STOPS) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate<string>(FOCUSED_NAME);
    if (name.startsWith(words)) return;
    passed.push(name.slice(0, 20));
  }
  throw new Error(`Tab does not lead to ${words}, but to ${passed.join(', ')}`);
}

async function expectRows(page: Page, count: number): Promise<void> {
  const table = page.getByRole('grid', { name: 'Requests' });
  await page.locator(`[role="grid"][aria-label="Requests"][aria-rowcount="${count + 1}"]`).waitFor();
  await table.getByRole('row').nth(count).waitFor();
  expect(await table.getByRole('row').count()).toBe(count + 1);
}

it('shows nothing to who has no session, and leads back after the sign-in', async () => {
  const { page } = await open();
  await page.goto(at('/billing'));
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('E-mail').fill('customer@example.com');
  await page.getByLabel('Password').fill('a wrong one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The email or the password is wrong.').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
});

describe('a session that ends elsewhere', () => {
  const email = 'left@example.com';
  const endSession = async (page: Page) =>
    expect((await page.request.post(`${accountUrl}/account/logout`)).ok()).toBe(true);
  const signInAgain = async (page: Page, as = email) => {
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('E-mail').fill(as);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  beforeAll(async () => {
    await stack.accounts.register(email, PASSWORD);
  });

  it('asks for the password in front of a form that is sent, and keeps what is typed', async () => {
    const watched = await signIn(email, '/');
    const { page } = watched;
    // The stream, which finds the end by itself, stays silent.
    await page.route('**/account/stream', () => undefined);
    await page.goto(at('/keys?make=key'));
    await page.getByLabel('Name').fill('too late');
    // No read may find the end before the form does.
    await page.route('**/account/keys', async (route) => {
      if (route.request().method() === 'POST') await endSession(page);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Create key' }).click();
    await signInAgain(page);
    const form = page.getByRole('dialog', { name: 'New key' });
    await form.waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('too late');
    await page.unroute('**/account/keys');
    await form.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
    expectNoFaults(watched);
  });

  it('shows nothing of the page to another person', async () => {
    const other = 'another@example.com';
    await stack.accounts.register(other, PASSWORD);
    const { page } = await signIn(email, '/keys?make=key');
    await page.getByLabel('Name').fill('not for others');
    await endSession(page);
    await page.evaluate(`dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'));`);
    await signInAgain(page, other);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.getByText(other).first().waitFor();
    expect(await page.getByText(email).count()).toBe(0);
  });

  it('asks for the password by itself when the server refuses the stream', async () => {
    const watched = await signIn(email, '/models');
    const { page } = watched;
    await page.getByText('Live', { exact: true }).waitFor();
    await endSession(page);
    await page.evaluate(`dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'));`);
    await signInAgain(page);
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    expectNoFaults(watched);
  });
});

it('sends rules that admit no inline script, no other host and no frame', async () => {
  const response = await fetch(at('/'));
  const rules = response.headers.get('content-security-policy') ?? '';
  expect(rules).toContain("default-src 'none'");
  expect(rules).toContain("script-src 'self';");
  expect(rules).toContain("frame-ancestors 'none'");
  expect(rules).not.toMatch(/unsafe|\*/);
  const page = await response.text();
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  const asset = /\/console\/assets\/[^"]+\.js/.exec(page)?.[0] ?? '';
  const file = await fetch(`${accountUrl}${asset}`, { headers: { 'accept-encoding': 'br' } });
  expect(file.headers.get('content-encoding')).toBe('br');
  expect(file.headers.get('cache-control')).toContain('immutable');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

describe('a file of the console that does not come', () => {
  const email = 'unlucky@example.com';
  const missing = async (page: Page, files: RegExp) => {
    await page.route(files, (route) => route.fulfill({ status: 404 }));
    return () => page.unroute(files);
  };

  beforeAll(async () => {
    await stack.accounts.register(email, PASSWORD);
  });

  it('takes no page away if it is a part of one, and comes when the person tries again', async () => {
    const { page } = await signIn(email, '/models');
    const bring = await missing(page, /assets\/command-palette/);
    await page.goto(at('/keys?make=key'));
    await page.getByLabel('Name').fill('typed before');
    await page.getByText('A part of the page did not come.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('typed before');
    await page.keyboard.press('Escape');
    await bring();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('A part of the page did not come.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Go to a page').waitFor();
  });

  it('loads a page anew once if the server has another release, and offers to try again', async () => {
    const { page } = await signIn(email, '/keys');
    const bring = await missing(page, /assets\/models-page/);
    await page.evaluate('window.isOfFormerRelease = true');
    await page.getByRole('link', { name: 'Models' }).click();
    await eventually(async () => expect(await page.evaluate('window.isOfFormerRelease')).toBeUndefined());
    await page.getByRole('heading', { name: 'The page failed to load' }).waitFor();
    await page.getByRole('button', { name: 'Load the page again' }).waitFor();
    await bring();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
  });
});

it('answers 404 for a file of a former release, so that an open page loads itself again', async () => {
  const { status, headers } = await fetch(at('/assets/index-of-a-former-release.js'));
  expect([status, headers.get('content-type')]).toEqual([404, null]);
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, []));
