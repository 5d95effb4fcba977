import type { Browser } from 'playwright-core';
import { type Faults, openPage } from '../console/open-browser.js';

/** What a reader does: opens an operation of the reference, fills in the credential, and sends the request. */
export interface TriedRequest {
  readonly baseUrl: string;
  readonly tag: string;
  /** Of a GET. */
  readonly path: string;
  readonly credential: string;
}

/** The status that the reader sees, the header that the page sent, and what it did wrong. */
export async function tryReference(
  browser: Browser,
  { baseUrl, tag, path, credential }: TriedRequest,
): Promise<{ readonly status: number; readonly authorization: string | undefined; readonly faults: Faults }> {
  const { page, faults } = await openPage(browser, [new URL(baseUrl).origin]);
  await page.goto(`${baseUrl}/docs#tag/${tag}/GET${path}`);
  await page.getByRole('button', { name: `Test Request (get ${path})`, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Token').first().fill(credential);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
  await dialog.getByRole('button', { name: /^send/i }).first().click();
  const response = await answered;
  const { authorization } = await response.request().allHeaders();
  await page.context().close();
  return { status: response.status(), authorization, faults };
}
