import { eventually } from '@gateway/testing';
import type { Page, Route } from 'playwright-core';
import { setTheme } from './open-browser.js';
import { widthFaults } from './page-faults.js';
import { type Violation, violationsOf } from './violations.js';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** `gone`: the network is away. */
type Failure = Refusal | 'gone';

/** What the pages read. Without the session there is no page at all, so that it has a test of its own. */
const READS = /\/(account|admin)\/(?!session)/;
/** How a read may end. The pages take turns. */
const FAILURES: readonly Failure[] = [
  { status: 402, code: 'insufficient_balance', message: 'Your balance is too low for this request.' },
  { status: 503, code: 'service_unavailable', message: 'The service is not available at the moment.' },
  'gone',
  { status: 429, code: 'rate_limit_exceeded', message: 'Too many requests. Wait a second, then try again.' },
];
/** Longer than any wait before a read is tried again. */
const RETRIES_MS = 3_000;
/** A busy machine may take long for one read. */
const PATIENCE = { withinMs: 60_000 };
const LONG = 'Supercalifragilisticexpialidocious'.repeat(4);
const NAMES = /^(name|display_name|email|description|filename|reason|message|url|model|action)$/;

const isRead = (route: Route): boolean => route.request().method() === 'GET';
const isStream = (route: Route): boolean => route.request().headers().accept === 'text/event-stream';

async function fail(route: Route, failure: Failure): Promise<void> {
  if (failure === 'gone') return route.abort('internetdisconnected');
  const { status, code, message } = failure;
  const json = { error: { message, type: code, code, param: null } };
  return route.fulfill({ status, headers: { 'x-request-id': 'req_of_a_test' }, json });
}

/** Passes each read through `change`. Streams stay silent, because they would bring what the server has. */
async function changeReads(page: Page, path: RegExp, change: (body: unknown) => unknown): Promise<void> {
  await page.route(path, async (route) => {
    if (!isRead(route) || route.request().url().includes('/assets/')) return route.fallback();
    if (isStream(route)) return undefined;
    // The page may leave before the answer is there.
    const response = await route.fetch().catch(() => undefined);
    if (response === undefined) return route.abort();
    const type = response.headers()['content-type'] ?? '';
    if (!type.includes('json')) return route.fulfill({ response });
    return route.fulfill({ response, json: change(await response.json()) });
  });
}

const withoutRows = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data)
    ? { ...body, data: [], ...('next_cursor' in body && { next_cursor: null }) }
    : body;

function withLongNames(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withLongNames);
  if (typeof body !== 'object' || body === null) return body;
  const isLong = ([name, value]: [string, unknown]) => NAMES.test(name) && typeof value === 'string';
  return Object.fromEntries(
    Object.entries(body).map((entry) => [entry[0], isLong(entry) ? `${LONG}${entry[1]}` : withLongNames(entry[1])]),
  );
}

const say = ({ id, html }: Violation): string => `${id}: ${html}`;
const faultsOfMain = async (page: Page) => (await violationsOf(page, { within: 'main' })).map(say);

async function contrastInTheDark(page: Page): Promise<readonly string[]> {
  await setTheme(page, 'dark');
  const found = await violationsOf(page, { within: 'main', rules: ['color-contrast'] });
  await setTheme(page, 'light');
  return found.map((violation) => `dark, ${say(violation)}`);
}

const alerts = (page: Page) => page.getByRole('alert');

/** The page waits before it reads again; the test does not. */
const runUntilAlert = (page: Page, text: string): Promise<void> =>
  eventually(async () => {
    await page.clock.runFor(RETRIES_MS);
    if ((await alerts(page).filter({ hasText: text }).count()) === 0) throw new Error(`no alert says ${text}`);
  }, PATIENCE);

const open = async (page: Page, address: string) => {
  await page.goto(address);
  await page.locator('h1').first().waitFor();
};

/** Presses each button that reads again, in one step: one of them may take another away. */
const RETRY = `(() => {
  const buttons = [...document.querySelectorAll('[role="alert"] button')].filter((one) => one.textContent === 'Try again');
  for (const button of buttons) button.click();
})()`;

const loaded = (page: Page): Promise<void> => page.getByLabel('Loading').first().waitFor({ state: 'detached' });

/**
 * The server is back, without a row, and the person tries again. Every alert must go, and the empty page is right, too. The
 * new route is there before the failing one goes: nothing reaches the server itself.
 */
async function goOnEmpty(page: Page, failingReads: (route: Route) => Promise<void>): Promise<readonly string[]> {
  if ((await page.getByRole('button', { name: 'Try again' }).count()) === 0) return ['has no button to try again'];
  await changeReads(page, READS, withoutRows);
  await page.unroute(READS, failingReads);
  await page.evaluate(RETRY);
  await eventually(async () => {
    await page.clock.runFor(RETRIES_MS);
    if ((await alerts(page).count()) > 0) throw new Error('an alert stays');
  }, PATIENCE);
  await loaded(page);
  return (await faultsOfMain(page)).map((fault) => `empty: ${fault}`);
}

/** The page holds its reads, shows that it loads, and then what went wrong: in words, with a way on to an empty page. */
async function failing(page: Page, address: string, index: number): Promise<readonly string[]> {
  const failure = FAILURES[index % FAILURES.length] ?? 'gone';
  const held: Route[] = [];
  let isHeld = true;
  const failingReads = async (route: Route): Promise<void> => {
    if (!isRead(route)) return route.fallback();
    if (isStream(route)) return route.abort();
    if (isHeld) held.push(route);
    else await fail(route, failure);
  };
  await page.route(READS, failingReads);
  await open(page, address);
  await page.getByLabel('Loading').first().waitFor();
  isHeld = false;
  // The page takes back a read that it does not need any more.
  await Promise.all(held.map((route) => fail(route, failure).catch(() => undefined)));
  await runUntilAlert(page, failure === 'gone' ? 'The server cannot be reached' : failure.message);
  const looks = [...(await faultsOfMain(page)), ...(await contrastInTheDark(page)), ...(await widthFaults(page))];
  return [...looks, ...(await goOnEmpty(page, failingReads))];
}

/** Every name of the page is longer than the page is wide. */
async function long(page: Page, address: string): Promise<readonly string[]> {
  await changeReads(page, /\/(account|admin)\//, withLongNames);
  await open(page, address);
  await loaded(page);
  return widthFaults(page);
}

const STATES = { failing, long } as const;

/** Brings each page into each state. Returns what is wrong, one sentence each. `page`: signed in, with its own clock. */
export async function faultsOfStates(page: Page, addresses: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, bring] of Object.entries(STATES)) {
    for (const [index, address] of addresses.entries()) {
      const { pathname, search } = new URL(address);
      const faults = await bring(page, address, index);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      found.push(...faults.map((fault) => `${name}: ${pathname}${search}: ${fault}`));
    }
  }
  return found;
}
