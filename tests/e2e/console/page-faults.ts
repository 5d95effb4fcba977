import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { setTheme } from './open-browser.js';

export const WIDE = { width: 1360, height: 860 };
export const PHONE = { width: 390, height: 860 };
export const PIXELS_TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Opens a page in the light theme, and waits until nothing of it loads. `isSettled`: false for the page of parts. */
export async function openSettled(page: Page, address: string, isSettled = true): Promise<void> {
  await page.setViewportSize(WIDE);
  await setTheme(page, 'light');
  await page.goto(address);
  await page.locator('h1').waitFor();
  if (isSettled) await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
}

/** What axe finds on the page as it is, in both themes, and whether it is wider than a phone. */
export async function faultsOf(page: Page, name: string): Promise<readonly string[]> {
  const light = await new AxeBuilder({ page }).analyze();
  await setTheme(page, 'dark');
  const dark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze();
  await page.setViewportSize(PHONE);
  const pixels = await page.evaluate<number>(PIXELS_TOO_WIDE);
  await page.setViewportSize(WIDE);
  await setTheme(page, 'light');
  const say = (theme: string) => (violation: (typeof light.violations)[number]) =>
    `${name}, ${theme}, ${violation.id}: ${violation.nodes[0]?.html}`;
  return [
    ...light.violations.map(say('light')),
    ...dark.violations.map(say('dark')),
    ...(pixels > 0 ? [`${name} is ${pixels} pixels wider than a phone`] : []),
  ];
}
