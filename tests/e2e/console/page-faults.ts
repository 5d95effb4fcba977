import { eventually } from '@gateway/testing';
import type { Page } from 'playwright-core';
import { setTheme } from './open-browser.js';
import { type Violation, violationsOf } from './violations.js';

const WIDE = { width: 1360, height: 860 };

/** Where a page and its dialog must fit without scrolling sideways. `zoomed`: a window of 1280 pixels at 200 %. */
const NARROW = {
  'a small phone': { width: 320, height: 640 },
  'a phone': { width: 390, height: 860 },
  'a window at 200 %': { width: 640, height: 400 },
} as const;
const PIXELS_TOO_WIDE = `Math.max(
  ...[document.documentElement, ...document.querySelectorAll('[role="dialog"]')]
    .map((place) => place.scrollWidth - place.clientWidth))`;

/** Where each table leaves out what it has no room for. */
const MIDDLE = {
  'a tablet': { width: 820, height: 1180 },
  'a laptop': { width: 1024, height: 768 },
} as const;
const TABLES_TOO_WIDE = `[...document.querySelectorAll('[role="grid"]')]
  .filter((table) => table.scrollWidth > table.clientWidth)
  .map((table) => table.getAttribute('aria-label'))`;
/** A table measures itself after a change of the window. */
const PATIENCE = { withinMs: 5_000 };

async function tableFaults(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, size] of Object.entries(MIDDLE)) {
    await page.setViewportSize(size);
    let tables: readonly string[] = [];
    const fit = async () => {
      tables = await page.evaluate<readonly string[]>(TABLES_TOO_WIDE);
      if (tables.length > 0) throw new Error('a table is too wide');
    };
    await eventually(fit, PATIENCE).catch(() => undefined);
    found.push(...tables.map((table) => `a page whose table ${table} scrolls sideways on ${name}`));
  }
  return found;
}

/** Says by how much the page is wider than a phone, or than a zoomed window, and which table than a tablet or a small laptop. */
export async function widthFaults(page: Page): Promise<readonly string[]> {
  const found = [...(await tableFaults(page))];
  for (const [name, size] of Object.entries(NARROW)) {
    await page.setViewportSize(size);
    const pixels = await page.evaluate<number>(PIXELS_TOO_WIDE);
    if (pixels > 0) found.push(`${pixels} pixels wider than ${name}`);
  }
  await page.setViewportSize(WIDE);
  return found;
}

/** Opens a page in the light theme, and waits until nothing of it loads. `isSettled`: false for the page of parts. */
export async function openSettled(page: Page, address: string, isSettled = true): Promise<void> {
  await page.setViewportSize(WIDE);
  await setTheme(page, 'light');
  await page.goto(address);
  await page.locator('h1').waitFor();
  if (isSettled) await page.getByLabel('Loading').first().waitFor({ state: 'detached' });
}

/** What axe finds on the page as it is, in both themes, and whether it is wider than a phone or a zoomed window. */
export async function faultsOf(page: Page, name: string): Promise<readonly string[]> {
  const light = await violationsOf(page);
  await setTheme(page, 'dark');
  const dark = await violationsOf(page, { rules: ['color-contrast'] });
  const widths = await widthFaults(page);
  await setTheme(page, 'light');
  const say =
    (theme: string) =>
    ({ id, html }: Violation) =>
      `${name}, ${theme}, ${id}: ${html}`;
  return [...light.map(say('light')), ...dark.map(say('dark')), ...widths.map((fault) => `${name} is ${fault}`)];
}
