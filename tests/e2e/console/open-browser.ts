import { type Browser, type BrowserContextOptions, chromium, type Page, type Response } from 'playwright-core';

/** What a page must never do, collected while a test drives it. */
export interface Faults {
  readonly console: string[];
  readonly otherHosts: string[];
}

export interface WatchedPage {
  readonly page: Page;
  readonly faults: Faults;
}

/** A tone in place of a microphone. A sandbox needs rights that a container rarely has. */
const ARGUMENTS = ['--no-sandbox', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** `npm test` sets `CHROMIUM`. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGUMENTS });

/** Chromium reports each 4xx answer as an error of its own; the tests look at those answers themselves. */
const isOwnReport = (text: string): boolean => text.startsWith('Failed to load resource');

/** The page may hide the answer to a read that it asks for in a wrong way. */
const isUnknownRead = (response: Response): boolean =>
  response.status() === 400 && response.request().method() === 'GET';

/** Opens a page of the console in a context of its own, and collects its faults. */
export async function openPage(
  browser: Browser,
  hosts: readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: 'en-US', ...options });
  const page = await context.newPage();
  const faults: Faults = { console: [], otherHosts: [] };
  page.on('pageerror', (error) => faults.console.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOwnReport(message.text())) faults.console.push(message.text());
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !hosts.includes(url.origin)) faults.otherHosts.push(request.url());
  });
  page.on('response', (response) => {
    if (isUnknownRead(response)) faults.console.push(`a page reads what no route has: ${response.url()}`);
  });
  return { page, faults };
}

export const PASSWORD = 'a long password';

interface SignedIn extends BrowserContextOptions {
  readonly email: string;
  readonly password?: string;
  /** The page to open, below `/console`. */
  readonly path?: string;
}

/** Opens a page with the session of a person. The form of the sign-in has tests of its own. */
export async function openSignedIn(
  browser: Browser,
  hosts: readonly [accountUrl: string, ...others: string[]],
  { email, password = PASSWORD, path = '/', ...options }: SignedIn,
): Promise<WatchedPage> {
  const watched = await openPage(browser, hosts, options);
  const [accountUrl] = hosts;
  const answer = await watched.page.request.post(`${accountUrl}/account/login`, { data: { email, password } });
  if (!answer.ok()) throw new Error(`the login of ${email} answered ${answer.status()}`);
  await watched.page.goto(`${accountUrl}/console${path}`);
  await watched.page.locator('h1').waitFor();
  return watched;
}

/** Changes the theme and waits for a frame with it: what is measured before has the colours of both. */
export async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
