import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../../../infra/local/chromium.mjs';
import { makeData } from './make-data.mjs';
import { CUSTOMER_PAGES, CUSTOMER_VIEWS, OPERATOR_PAGES, OPERATOR_VIEWS, OUTSIDE_PAGES } from './pages.mjs';

/*
 * `npm run screenshots [-- FOLDER]`: an image of every page of the console, in both themes and two widths. Needs a running
 * system (`npm start`). It registers a customer, and makes what the pages show.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const gatewayFile = process.env.GATEWAY_FILE ?? join(root, '.local/gateway.json');
const folder = process.argv[2] ?? join(root, '.local/screenshots');

const SIZES = { wide: { width: 1360, height: 860 }, phone: { width: 390, height: 844 } };
const THEMES = ['light', 'dark'];
const SETTLED_MS = 500;

const nameOf = (path) =>
  path
    .replace(/open=req_\w+/, 'open=request')
    .replace(/^\//, '')
    .replaceAll(/[^\w.-]+/g, '-') || 'overview';

/** A page that shows no grey lines any more, and no request under way. */
async function settle(page) {
  await page.locator('h1').first().waitFor();
  await page
    .getByLabel('Loading')
    .first()
    .waitFor({ state: 'detached', timeout: 10_000 })
    .catch(() => undefined);
  await page.waitForTimeout(SETTLED_MS);
}

async function takeAll(page, consoleUrl, paths, suffix = '') {
  for (const path of paths) {
    await page.goto(`${consoleUrl}${path}`);
    await settle(page);
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await page.waitForTimeout(SETTLED_MS / 2);
        await page.screenshot({ path: join(folder, `${nameOf(path)}${suffix}.${size}.${theme}.png`) });
      }
    }
    await page.setViewportSize(SIZES.wide);
  }
}

async function signIn(page, consoleUrl, { email, password }) {
  await page.goto(`${consoleUrl}/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).first().waitFor();
}

if (!existsSync(gatewayFile))
  throw new Error(`There is no ${gatewayFile}: start the gateway with \`npm start\` first.\n`);
const addresses = JSON.parse(readFileSync(gatewayFile, 'utf8'));
const consoleUrl = addresses.consoleUrl.replace(/\/$/, '');
mkdirSync(folder, { recursive: true });
const made = await makeData(addresses);
const browser = await chromium.launch({
  executablePath: await findChromium((note) => process.stdout.write(`${note}\n`)),
  args: ['--no-sandbox'],
});
try {
  const context = await browser.newContext({ viewport: SIZES.wide, locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  await takeAll(page, consoleUrl, OUTSIDE_PAGES);
  await signIn(page, consoleUrl, made);
  const pages = [...CUSTOMER_PAGES, ...CUSTOMER_VIEWS, `/requests?open=${made.requestId}`];
  await takeAll(page, consoleUrl, pages);
  await made.promote();
  await page.reload();
  await takeAll(page, consoleUrl, [...OPERATOR_PAGES, ...OPERATOR_VIEWS]);
  await page.evaluate(() => localStorage.setItem('language', 'zh'));
  await takeAll(page, consoleUrl, [...pages, ...OPERATOR_PAGES], '-zh');
} finally {
  await browser.close();
}
process.stdout.write(`The images are in ${folder}.\n`);
