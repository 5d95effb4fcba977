import { startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openBrowser, openSignedIn, PASSWORD } from './open-browser.js';
import { violationsOf } from './violations.js';

const EMAIL = 'hooks@example.com';
const URL = 'https://example.com/hooks';

const stack = await startTestStack({ services: ['billing', 'accounts'] });
const { accountUrl } = stack.system;

let browser: Browser;
let token: string;

beforeAll(async () => {
  browser = await openBrowser();
  token = (await stack.accounts.register(EMAIL, PASSWORD)).token;
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

async function endpoint(): Promise<{ readonly events: readonly string[] | null; readonly description: string }> {
  const response = await fetch(`${accountUrl}/account/webhook-endpoints`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { data: Awaited<ReturnType<typeof endpoint>>[] }).data[0] as never;
}

it('an endpoint gets chosen events, and changes them and its description later', async () => {
  const { page, faults } = await openSignedIn(browser, [accountUrl], { email: EMAIL, path: '/webhooks?make=endpoint' });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(`  ${URL} `);
  await dialog.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Chosen events' }).click();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText('must name an event').waitFor();
  await dialog.getByLabel('batch.completed').check();
  await dialog.getByLabel('balance.low').check();
  expect(await violationsOf(page, { within: '[role=dialog]' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = (await dialog.locator('code').first().textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  expect(await endpoint()).toMatchObject({ events: ['batch.completed', 'balance.low'], description: '' });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The current secret was made').waitFor();
  // The id of a secret looks like a secret.
  expect(await page.getByText('whsec_').count()).toBe(0);
  await page.getByRole('button', { name: `What to do with ${URL}` }).click();
  await page.getByRole('menuitem', { name: 'Change…' }).click();
  await dialog.getByLabel('Description').fill('the accounting');
  await dialog.getByRole('combobox', { name: 'Events' }).click();
  await page.getByRole('option', { name: 'Every event' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('the accounting · every event').waitFor();
  expect(await endpoint()).toMatchObject({ events: ['*'], description: 'the accounting' });
  expect(faults).toEqual({ console: [], otherHosts: [] });
});

it('a delivery that waits is read again until it ends', async () => {
  const { page } = await openSignedIn(browser, [accountUrl], { email: EMAIL, path: '/webhooks' });
  await page.getByRole('button', { name: `What to do with ${URL}` }).click();
  await page.getByRole('menuitem', { name: 'Send a test event' }).click();
  await page.getByRole('grid', { name: 'Deliveries' }).getByRole('row').nth(1).click();
  await page.getByRole('dialog', { name: 'Delivery' }).getByRole('figure', { name: 'Body' }).waitFor();
  await page.waitForRequest(/\/account\/webhook-deliveries\/\w+$/);
});
