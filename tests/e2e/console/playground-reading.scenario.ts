import { startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';

const EMAIL = 'reader@example.com';

// The edge before accounts, which names its address to the page.
const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'api-edge', 'accounts'],
});
const { accountUrl, baseUrl } = stack.system;

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
  const { account } = await stack.accounts.register(EMAIL, PASSWORD);
  await stack.accounts.credit(account.id, '10', 'a credit');
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

const open = (query: string, viewport = { width: 1440, height: 900 }): Promise<WatchedPage> =>
  openSignedIn(browser, [accountUrl, baseUrl], { email: EMAIL, path: `/playground${query}`, viewport });

/** The distance between the last receipt of an answer and the composer below it, in pixels. Negative: it is covered. */
const FREE_PIXELS = `(() => {
  const receipt = [...document.querySelectorAll('main a[href*="/requests?open="]')].at(-1);
  const composer = document.querySelector('textarea[aria-label="Message"]').closest('section');
  return composer.getBoundingClientRect().top - receipt.getBoundingClientRect().bottom;
})()`;

/** The placeholders in another colour than that of muted text, which has enough contrast. axe does not look at them. */
const FAINT_PLACEHOLDERS = `(() => {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.color = 'var(--color-muted)';
  const { color } = getComputedStyle(probe);
  probe.remove();
  return [...document.querySelectorAll('[placeholder]')]
    .filter((field) => getComputedStyle(field, '::placeholder').color !== color)
    .map((field) => field.placeholder);
})()`;

/** How far the page reaches beyond the right edge of the window. */
const PIXELS_OUTSIDE = 'document.documentElement.scrollWidth - innerWidth';

const SETTLED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`;

describe('the playground', () => {
  it.each([1440, 390])('shows the end of a long answer and its cost in a window of %i pixels', async (width) => {
    const { page, faults } = await open('?kind=chat&model=gm-2.5-flash', { width, height: 900 });
    await page.getByLabel('Message').fill('Say a lot {{sim words=900 chunks=40 chunk_ms=10}}');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: /^\$\d+\.\d{9}$/ }).waitFor();
    await page.evaluate(SETTLED);
    expect(await page.evaluate<number>('window.scrollY')).toBeGreaterThan(0);
    expect(await page.evaluate<number>(FREE_PIXELS)).toBeGreaterThanOrEqual(0);
    expect(faults.console).toEqual([]);
    await page.context().close();
  });

  it('shows what a request cost, although the receipt could not be read at first', async () => {
    const { page } = await open('?kind=chat&model=gm-2.5-flash');
    let failures = 0;
    await page.route('**/account/requests/req_*', (route) => {
      // More than events make the page ask again.
      if (failures === 4) return route.continue();
      failures += 1;
      const error = { message: 'Try again later.', type: 'api_error', param: null, code: 'unavailable' };
      return route.fulfill({ status: 503, json: { error } });
    });
    await page.getByLabel('Message').fill('Say hello');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: /^\$\d+\.\d{9}$/ }).waitFor();
    expect(failures).toBe(4);
    await page.context().close();
  });

  it('sends on an address without TLS, and says when the answer is there', async () => {
    const { page, faults } = await open('?kind=chat&model=gm-2.5-flash');
    // Browsers leave it out there.
    await page.addInitScript('crypto.randomUUID = undefined');
    await page.reload();
    await page.getByRole('button', { name: 'Add a function' }).click();
    await page.getByLabel('Message').fill('Say hello');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').filter({ hasText: 'Done' }).waitFor();
    expect(faults.console).toEqual([]);
    await page.context().close();
  });

  it('breaks the name of a file that is wider than a phone', async () => {
    const { page } = await open('?kind=chat&model=gm-2.5-flash', { width: 390, height: 860 });
    const file = { name: `${'long'.repeat(40)}.pdf`, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
    await page.getByLabel('Add a file').setInputFiles(file);
    await page.getByLabel('Message').fill('Read it');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /Done|Failed/ })
      .waitFor();
    expect(await page.evaluate<number>(PIXELS_OUTSIDE)).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  it('sends by the keys while a toast is open', async () => {
    const { page } = await open('?kind=chat&model=gm-2.5-flash');
    await page.route('**/account/logout', (route) => route.abort('internetdisconnected'));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').hover();
    await page.getByLabel('Message').fill('Say hello');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').filter({ hasText: 'Done' }).waitFor();
    await page.context().close();
  });

  it('has placeholders that can be read', async () => {
    const { page } = await open('?kind=chat&model=gm-2.5-flash');
    await page.getByPlaceholder("the model's own").first().waitFor();
    expect(await page.evaluate<readonly string[]>(FAINT_PLACEHOLDERS)).toEqual([]);
    await page.context().close();
  });

  it('shows the last request as code once its form is empty', async () => {
    const { page } = await open('?kind=chat&model=gm-2.5-flash');
    const code = page.getByRole('button', { name: 'Code' });
    expect(await code.isDisabled()).toBe(true);
    await page.getByLabel('Message').fill('Say hello once');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: /^\$\d+\.\d{9}$/ }).waitFor();
    await code.click();
    await page.getByText('What this page sent last').waitFor();
    expect(await page.getByRole('figure', { name: 'curl, gm-2.5-flash' }).textContent()).toContain('Say hello once');
    await page.context().close();
  });

  it.each([
    [1440, 200],
    [1024, 200],
    [390, 200],
  ])('keeps four models readable in a window of %i pixels', async (width, least) => {
    const models = 'gm-2.5-flash,cl-sonnet-4-6,gm-2.5-pro,cl-haiku-4-5';
    const { page } = await open(`?kind=chat&model=${models}`, { width, height: 900 });
    const columns = page.getByText('Its answer appears here.');
    await columns.nth(3).waitFor();
    for (const column of await columns.all()) {
      expect((await column.boundingBox())?.width).toBeGreaterThanOrEqual(least);
    }
    await page.context().close();
  });

  it('says that an image cannot be read, instead of an empty mask', async () => {
    const { page, faults } = await open('?kind=edits&model=gp-image-1.5');
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('not an image') });
    await page.getByText('This image cannot be read.').waitFor();
    expect(await page.getByRole('figure', { name: 'Mask' }).isVisible()).toBe(false);
    expect(faults.console).toEqual([]);
    await page.context().close();
  });
});
