import type { Browser } from 'playwright-core';
import { openPage } from '../console/open-browser.js';
import { type Violation, violationsOf } from '../console/violations.js';
import type { TriedRequest } from './try-reference.js';

const RULES = ['color-contrast', 'scrollable-region-focusable'];
const LAYOUTS = `[...document.querySelectorAll('[role=dialog] table')].map((table) => getComputedStyle(table).display)`;

interface ReferenceFaults {
  readonly violations: readonly Violation[];
  /** How the form of a request lays out its tables. */
  readonly layouts: readonly string[];
}

/** What is hard to read or to reach in the reference, and in the form that sends a request. */
export async function referenceFaults(
  browser: Browser,
  { baseUrl, tag, path }: Pick<TriedRequest, 'baseUrl' | 'tag' | 'path'>,
  colorScheme: 'light' | 'dark',
): Promise<ReferenceFaults> {
  const { page } = await openPage(browser, [new URL(baseUrl).origin], { colorScheme, bypassCSP: true });
  await page.goto(`${baseUrl}/docs#tag/${tag}/GET${path}`);
  const test = page.getByRole('button', { name: `Test Request (get ${path})`, exact: true });
  await test.waitFor();
  await page.locator(`body.${colorScheme}-mode`).waitFor();
  const violations = await violationsOf(page, { rules: RULES });
  await test.click();
  await page.getByRole('dialog').locator('table').first().waitFor();
  const layouts = await page.evaluate<readonly string[]>(LAYOUTS);
  await page.context().close();
  return { violations, layouts: [...new Set(layouts)] };
}
