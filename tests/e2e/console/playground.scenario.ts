import { startTestStack } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { openBrowser, openSignedIn, PASSWORD, type WatchedPage } from './open-browser.js';
import { faultsOf, openSettled } from './page-faults.js';

const EMAIL = 'player@example.com';

// The edge before accounts, which names its address to the page; batch-worker fetches the videos.
const stack = await startTestStack({
  services: ['upstream-simulator', 'billing', 'sync-worker', 'video-worker', 'api-edge', 'batch-worker', 'accounts'],
});
const { accountUrl, baseUrl } = stack.system;
const hosts = [accountUrl, baseUrl] as const;

let browser: Browser;
let watched: WatchedPage;
let page: Page;
let token: string;

const signIn = (email: string): Promise<WatchedPage> => openSignedIn(browser, hosts, { email, path: '/playground' });

beforeAll(async () => {
  browser = await openBrowser();
  const made = await stack.accounts.register(EMAIL, PASSWORD);
  token = made.token;
  await stack.accounts.credit(made.account.id, '10', 'a credit');
  watched = await signIn(EMAIL);
  page = watched.page;
});
afterAll(async () => {
  await browser.close();
  await stack.stop();
});

async function open(query: string, on = page): Promise<void> {
  await on.goto(`${accountUrl}/console/playground${query}`);
  await on.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
}

const quoted = (on = page) => on.getByLabel('Quote').getByText('Likely').waitFor();

/** The exact cost of each answer, from the receipts. */
async function costs(count: number): Promise<readonly string[]> {
  const links = page.getByRole('link', { name: /^\$\d+\.\d{9}$/ });
  await links.nth(count - 1).waitFor();
  return links.allTextContents();
}

/** The id of the request behind the newest link to a receipt. */
async function requestId(): Promise<string> {
  const href = await page
    .getByRole('link', { name: /^\$\d+\.\d{9}$/ })
    .last()
    .getAttribute('href');
  return new URL(href ?? '', accountUrl).searchParams.get('open') ?? '';
}

/** The width of an image once it is decoded. Playwright's `waitForFunction` polls by `eval`, which the page refuses. */
const widthOf = (alt: string): string => `(async () => {
  const image = document.querySelector('img[alt="${alt}"]');
  await image.decode();
  return image.naturalWidth;
})()`;

/** True as soon as the browser has read the video's head; rejects when it cannot play it. */
const VIDEO_IS_READ = `new Promise((done, failed) => {
  const video = document.querySelector('video');
  const fail = () => failed(new Error(video.error.message));
  if (video.error !== null) fail();
  else if (video.readyState > 0) done(true);
  video.addEventListener('loadedmetadata', () => done(true));
  video.addEventListener('error', fail);
})`;

const receipt = async () =>
  stack.accounts.receipt<{ cost_usd: string; outcome: string; endpoint: string }>(token, await requestId());

/** Records how long the answer was, each time that the page changed. */
const WATCH_ANSWER = `
  window.answerLengths = [];
  new MutationObserver(() => {
    const answer = document.querySelector('[aria-label="Answer"]');
    if (answer !== null) window.answerLengths.push(answer.textContent.length);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
`;

describe('a chat', () => {
  it('is quoted while typing, grows as it streams, and ends with its receipt', async () => {
    await open('?kind=chat&model=gm-2.5-flash');
    const quotes: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/account/quote')) quotes.push(request.url());
    });
    const typed = 'Say hello to everybody in the room ';
    await page.getByLabel('Message').pressSequentially(typed);
    await quoted();
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.length).toBeLessThan(typed.length / 2);
    await page.getByLabel('Message').fill(`${typed}{{sim words=200 chunks=60 chunk_ms=30}}`);
    await page.evaluate(WATCH_ANSWER);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Done').waitFor();
    const [shown] = await costs(1);
    const lengths = await page.evaluate<number[]>('window.answerLengths');
    expect(new Set(lengths).size).toBeGreaterThan(5);
    const { cost_usd: cost, endpoint } = await receipt();
    expect([Number(shown?.slice(1)), endpoint]).toEqual([Number(cost), 'chat.completions']);
  });

  it('has a key in the list, which never leaves memory and ends when the person says so', async () => {
    const stored = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).not.toContain('sk-');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'Playground' });
    await row.waitFor();
    expect(await row.count()).toBe(1);
    await page.getByRole('link', { name: 'Playground', exact: true }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('No keys yet').waitFor();
  });

  it('is stopped by Escape, and says what that costs', async () => {
    await open('?kind=chat&model=cl-sonnet-4-6');
    await page.getByLabel('Message').fill('Go on {{sim words=2000 chunks=400 chunk_ms=50}}');
    await quoted();
    await page.keyboard.press('Control+Enter');
    await page.getByText('so far').waitFor();
    await page.locator('[aria-label="Answer"]').getByText('river').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Stopped by you').waitFor();
    await page.getByText('The vendor was stopped.').waitFor();
    await costs(1);
    expect(await receipt()).toMatchObject({ outcome: 'aborted' });
  });

  it('is drawn as Markdown, and never as HTML', async () => {
    await open('?kind=chat&model=gm-2.5-flash');
    await page.getByLabel('Message').fill('**bold** <b>html</b> [x](javascript:alert)');
    await page.keyboard.press('Control+Enter');
    const answer = page.locator('[aria-label="Answer"]');
    await answer.locator('strong', { hasText: 'bold' }).waitFor();
    await answer.getByText('<b>html</b>').waitFor();
    expect([await answer.locator('b').count(), await answer.locator('a').count()]).toEqual([0, 0]);
  });

  it('of a stream that breaks says so', async () => {
    await open('?kind=chat&model=gm-2.5-flash');
    await page.getByLabel('Message').fill('Break {{sim words=100 chunks=20 cut_after=5}}');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText(/The stream was cut|Failed/)
      .first()
      .waitFor();
  });

  it('compares two models that call a function, in any format', async () => {
    await open('?kind=chat&model=cl-sonnet-4-6,gm-2.5-flash');
    await page.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Messages' }).click();
    await page.getByRole('button', { name: 'Add a function' }).click();
    await page.getByLabel('Message').fill('Use the tool');
    await page.keyboard.press('Control+Enter');
    for (const model of ['cl-sonnet-4-6', 'gm-2.5-flash']) {
      const column = page.getByRole('region', { name: model });
      await column.getByLabel('Answer of get_weather').fill('sunny in Rome');
      await column.getByRole('button', { name: 'Send the answers' }).click();
      await column.getByText('The tool answered').waitFor();
    }
    expect(new Set(await costs(4)).size).toBeGreaterThan(1);
  });

  it('is shown as code that names the same request', async () => {
    await page.getByLabel('Message').fill('And in Paris?');
    await page.getByRole('button', { name: 'Code' }).click();
    const curl = page.getByRole('figure', { name: 'curl, cl-sonnet-4-6' });
    await curl.waitFor();
    const code = await curl.textContent();
    for (const part of [`${baseUrl}/v1/messages`, 'sunny in Rome', 'And in Paris?', 'GATEWAY_API_KEY']) {
      expect(code).toContain(part);
    }
    expect(code).not.toContain('sk-');
    await page.keyboard.press('Escape');
  });
});

describe('media', () => {
  it('makes an image, and edits one with a mask that is painted', async () => {
    await open('?kind=images&model=qn-image-2.0');
    await page.getByLabel('What it shows').fill('A kite');
    await page.keyboard.press('Control+Enter');
    const image = page.getByRole('img', { name: 'A kite' });
    await image.waitFor();
    expect(await page.evaluate(widthOf('A kite'))).toBe(1024);
    const made = await image.getAttribute('src');
    await open('?kind=edits&model=gp-image-2');
    await page.getByLabel('What changes').fill('Make it green');
    const buffer = Buffer.from(made?.split(',')[1] ?? '', 'base64');
    await page.getByLabel('Add an image').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
    const mask = page.getByLabel('Paint the mask');
    await mask.focus();
    // The quote of the mask moves the button below it: a click before that may miss it.
    const quote = page.waitForResponse((response) => response.request().postData()?.includes('"mask":true') === true);
    for (const key of [' ', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    await quote;
    await quoted();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('img', { name: 'Make it green' }).waitFor();
    const received = (await stack.simulator.requests(0)).filter(({ path }) => path.endsWith('/images/edits'));
    expect(received.at(-1)?.body).toContain('name="mask"');
  });

  it('plays speech and a video in the page', async () => {
    await open('?kind=speech&model=qn3-tts-flash');
    await page.getByLabel('What it says').fill('Good morning');
    await page.keyboard.press('Control+Enter');
    await page.locator('audio').waitFor();
    await open('?kind=video&model=wn2.7-t2v');
    await page.getByLabel('What happens').fill('A boat');
    await page.keyboard.press('Control+Enter');
    await page.locator('video').waitFor();
    expect(await page.locator('video').getAttribute('src')).toContain(`${baseUrl}/v1/files/`);
    expect(await page.evaluate(VIDEO_IS_READ)).toBe(true);
  });
});

it('compares texts and ranks documents', async () => {
  await open('?kind=embeddings&model=vg-4');
  await page.getByLabel('One text').fill('a cat');
  await page.getByLabel('Another text').fill('a cat');
  await page.keyboard.press('Control+Enter');
  await page.getByText('1.0000').waitFor();
  await open('?kind=rerank&model=vg-rerank-2.5');
  await page.getByLabel('Question').fill('red');
  await page.getByLabel('Documents').fill('red apples\nblue sky');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('list', { name: 'Ranking' }).getByText('blue sky').waitFor();
});

it('is where a receipt is tried again', async () => {
  await open('?kind=chat&model=gm-2.5-flash');
  await page.getByLabel('Message').fill('Hello');
  await page.keyboard.press('Control+Enter');
  await costs(1);
  // The answers stay on their page.
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: /^\$\d+\.\d{9}$/ }).click();
  const receipt = await opened;
  await receipt.getByRole('dialog').getByRole('link', { name: 'Try it again' }).click();
  await receipt.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  expect(receipt.url()).toContain('model=gm-2.5-flash');
  await receipt.close();
});

it('asks two models side by side, from a receipt, and says which was faster and cheaper', async () => {
  await page.goto(`${accountUrl}/console/requests`);
  await page
    .getByRole('grid', { name: 'Requests' })
    .getByRole('row')
    .filter({ hasText: 'gm-2.5-flash' })
    .first()
    .click();
  await page.getByRole('combobox', { name: 'Other model' }).click();
  await page.getByRole('option', { name: 'cl-sonnet-4-6' }).click();
  await page.getByRole('link', { name: 'Ask both, side by side' }).click();
  await page
    .getByRole('list')
    .getByRole('button', { name: /prepaid balance/ })
    .click();
  await page.keyboard.press('Control+Enter');
  await costs(2);
  const comparison = page.getByRole('table', { name: 'Comparison' });
  await comparison.getByText('cheapest').first().waitFor();
  expect(await comparison.getByRole('row').count()).toBe(3);
  await comparison.getByText('fastest').first().waitFor();
});

it('records speech, and sends it to a model that takes audio', async () => {
  const context = page.context();
  await context.grantPermissions(['microphone'], { origin: accountUrl });
  await open('?kind=chat&model=gm-2.5-flash');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('button', { name: /^End the recording 0:0[1-9]$/ }).click();
  await page.getByRole('list', { name: 'Files' }).getByText('recording.wav').waitFor();
  await page.getByLabel('Message').fill('What was said?');
  await page.keyboard.press('Control+Enter');
  await costs(1);
  expect((await receipt()).outcome).toBe('completed');
});

it('says what to do without credit', async () => {
  await stack.accounts.register('poor@example.com', PASSWORD);
  const { page: poor } = await signIn('poor@example.com');
  await open('?kind=chat&model=gm-2.5-flash', poor);
  await poor.getByText('No credit is left').waitFor();
  const keyChoice = poor.getByRole('combobox', { name: 'Key of an hour' });
  // It begins with a test key. The person takes another one all the same.
  await keyChoice.filter({ hasText: 'Test key' }).click();
  await poor.getByRole('option', { name: /at most \$1\.00/ }).click();
  await poor.getByLabel('Message').fill('Hello');
  await poor.getByText('Not enough credit').waitFor();
  await poor.getByRole('button', { name: 'Send' }).click();
  await poor
    .getByRole('alert')
    .getByText(/balance|credit/i)
    .first()
    .waitFor();
  await keyChoice.click();
  await poor.getByRole('option', { name: /Test key/ }).click();
  await poor.getByLabel('Message').fill('Hello again');
  await poor.getByRole('button', { name: 'Send' }).click();
  await poor.getByText('Hello again').nth(1).waitFor();
});

it('has no fault of accessibility in either theme, and fits on a phone', async () => {
  const found: string[] = [];
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const kind of ['chat&model=gm-2.5-flash,cl-sonnet-4-6', 'edits', 'video', 'embeddings']) {
    await openSettled(page, `${accountUrl}/console/playground?kind=${kind}`);
    found.push(...(await faultsOf(page, kind)));
  }
  expect(found).toEqual([]);
  expect(watched.faults).toEqual({ console: [], otherHosts: [] });
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, []));
