import { startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser, openSignedIn, PASSWORD } from './open-browser.js';

const EMAIL = 'first@example.com';

const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'api-edge', 'accounts'],
});
const { accountUrl, baseUrl } = stack.system;

let browser: Browser;
let otherKey: string;

beforeAll(async () => {
  browser = await openBrowser();
  const { token, account } = await stack.accounts.register(EMAIL, PASSWORD);
  await stack.accounts.credit(account.id, '10', 'a credit');
  otherKey = (await stack.accounts.createKey(token, 'production', {})).key;
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

async function ask(apiKey: string, model: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

it('the first call works when a request of its own key arrives, not one of another key', async () => {
  const { page, faults } = await openSignedIn(browser, [accountUrl, baseUrl], { email: EMAIL, path: '/first-call' });
  await page.getByText('Listening for your request').waitFor();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const ownKey = (await page.getByRole('figure', { name: 'Your key' }).locator('code').textContent()) ?? '';
  await page.getByText('Listening for your request').waitFor();
  const arrivals = page.getByRole('region', { name: 'Your request' });
  await ask(otherKey, 'cl-sonnet-4-6');
  await ask(ownKey, 'gm-2.5-flash');
  await page.getByText('It works.').waitFor();
  expect(await arrivals.getByRole('listitem').count()).toBe(1);
  await arrivals.getByText('gm-2.5-flash').waitFor();
  expect(faults).toEqual({ console: [], otherHosts: [] });
});
