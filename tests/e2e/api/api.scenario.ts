import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Customer, leaveVendorSchema, startTestStack, WebhookReceiver } from '@gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBrowser } from '../console/open-browser.js';
import { makeCallers, mayCall, wrongAnswer } from './callers.js';
import { DOCUMENTS, type Operation, operationsOf, readDocument } from './document.js';
import { drawEach, drawRequests, isExcluded } from './drawn-requests.js';
import { ExampleResources } from './example-values.js';
import { callingBlocks, isRunnable, NOT_RUN, runPage } from './how-to-programs.js';
import { pageValues } from './page-values.js';
import { type RecordedAnswer, recordedAnswer } from './recorded-answers.js';
import { referenceFaults } from './reference-faults.js';
import { reportRoutes, routeDifferences } from './registered-routes.js';
import { hasPython, type RunLanguage, runGo, runSnippets, type Snippet } from './run-snippets.js';
import { faultOf, faultsOf, isServerFault } from './send-drawn.js';
import { credentialOf, type ExampleValues, exampleValue, ownCredential, sendExample, textOf } from './send-example.js';
import { tryReference } from './try-reference.js';

const reporting = reportRoutes();
const stack = await startTestStack({ commonEnv: reporting });
await stack.system.add('batch-worker');
await stack.system.add('mcp-server');
const receiver = await WebhookReceiver.open();
afterAll(async () => {
  await receiver.close();
  await stack.stop();
});

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });

const DOCUMENT_NAMES = ['public', 'accounts'] as const;
type DocumentName = (typeof DOCUMENT_NAMES)[number];
const baseUrls = { public: stack.baseUrl, accounts: stack.system.accountUrl };
const operations = {
  public: operationsOf(readDocument('public')),
  accounts: operationsOf(readDocument('accounts')),
};

const values = await new ExampleResources(stack, customer, receiver.url).make();

const fileOf = (name: DocumentName): URL => new URL(`recorded/${name}.json`, DOCUMENTS);

async function answersOf(name: DocumentName): Promise<Readonly<Record<string, RecordedAnswer>>> {
  const answers: Record<string, RecordedAnswer> = {};
  for (const operation of operations[name]) {
    for (const [example, request] of Object.entries(operation.examples)) {
      const credential = values[ownCredential(operation)] ?? credentialOf(operation.scheme, customer, stack);
      const response = await sendExample(baseUrls[name], operation, { request, values, credential });
      const text = await textOf(response, request);
      answers[`${operation.id}/${example}`] = recordedAnswer(response.status, response.headers, text);
    }
  }
  return answers;
}

const outcomeOf = ({ status, contentType }: RecordedAnswer) => `${status} ${contentType}`;
const outcomes = (answers: Readonly<Record<string, RecordedAnswer>>) =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, outcomeOf(answer)]));

const isWrong = (operation: Operation, example: string) => operation.examples[example]?.isWrong === true;

describe.each(DOCUMENT_NAMES)('the examples of the %s document', (name) => {
  it('get the recorded answers (record with UPDATE_GOLDEN=1, then regenerate the documents)', async () => {
    const answers = await answersOf(name);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(fileOf(name), `${JSON.stringify(answers, null, 2)}\n`);
    const recorded = existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '{}';
    expect(outcomes(answers)).toEqual(outcomes(JSON.parse(recorded) as Record<string, RecordedAnswer>));
    for (const operation of operations[name]) {
      const failed = Object.keys(operation.examples).filter(
        (example) => (answers[`${operation.id}/${example}`]?.status ?? 0) >= 400 && !isWrong(operation, example),
      );
      expect([operation.id, failed, failed.map((example) => answers[`${operation.id}/${example}`]?.body)]).toEqual([
        operation.id,
        [],
        [],
      ]);
    }
  });

  it('are served with their document and their reference', async () => {
    const served = await fetch(`${baseUrls[name]}/openapi.json`);
    expect(await served.json()).toEqual(JSON.parse(readFileSync(new URL(`${name}.json`, DOCUMENTS), 'utf8')));
    const reference = await fetch(`${baseUrls[name]}/docs`);
    expect([reference.status, reference.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await fetch(`${baseUrls[name]}/docs/scalar.js`)).status).toBe(200);
  });
});

describe('the reference in a browser', () => {
  it.each([
    ['public', { tag: 'models', path: '/v1/models', credential: customer.apiKey }],
    ['accounts', { tag: 'account', path: '/account/session', credential: customer.token }],
  ] as const)('of the %s document sends a request with the credential of its reader', async (name, request) => {
    const browser = await openBrowser();
    try {
      expect(await tryReference(browser, { baseUrl: baseUrls[name], ...request })).toEqual({
        status: 200,
        authorization: `Bearer ${request.credential}`,
        faults: { console: [], otherHosts: [] },
      });
    } finally {
      await browser.close();
    }
  });
});

describe('the reference for its readers', () => {
  it.each([
    ['public', 'light', { tag: 'models', path: '/v1/models' }],
    ['public', 'dark', { tag: 'models', path: '/v1/models' }],
    ['accounts', 'light', { tag: 'account', path: '/account/session' }],
    ['accounts', 'dark', { tag: 'account', path: '/account/session' }],
  ] as const)(
    'of the %s document is readable in the %s, and its form keeps its columns',
    async (name, scheme, operation) => {
      const browser = await openBrowser();
      try {
        expect(await referenceFaults(browser, { baseUrl: baseUrls[name], ...operation }, scheme)).toEqual({
          violations: [],
          layouts: ['grid'],
        });
      } finally {
        await browser.close();
      }
    },
  );
});

describe('the routes of the running servers', () => {
  it.each([
    ['api-edge', operations.public],
    ['accounts', operations.accounts],
    // It describes its tools itself.
    ['mcp-server', []],
  ] as const)('of %s are those of its document', (service, described) => {
    expect(routeDifferences(reporting.ROUTES_FOLDER, service, described)).toEqual({
      notDescribed: [],
      notRegistered: [],
    });
  });
});

const PLACEHOLDER = /\b[A-Z]+(?:_[A-Z]+)*_ID\b|\bWEBHOOK_URL\b|\bMAIL_CODE\b/g;
/** `TASK_ID` → `taskId`. */
const nameOf = (placeholder: string): string =>
  placeholder.toLowerCase().replaceAll(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());

/** What a system admits once: an address, a reference, a name. */
const ONLY_ONCE = /ada@example\.com|invoice-17|Ann Example/g;

/** A program of an answer without an end has none either. */
const isRun = ({ examples }: Operation): boolean =>
  Object.keys(examples).length > 0 && Object.values(examples).every(({ isEndless }) => isEndless !== true);

/** `account.changePassword` → `GATEWAY_SESSION_ACCOUNT_CHANGEPASSWORD`. */
const variableOf = (id: string): string => `GATEWAY_SESSION_${id.replaceAll('.', '_').toUpperCase()}`;
const withOwnCredential = (source: string, id: string, own: ExampleValues): string =>
  own[ownCredential({ id })] === undefined ? source : source.replaceAll('GATEWAY_SESSION', variableOf(id));
const ownCredentials = (own: ExampleValues): Readonly<Record<string, string>> =>
  Object.fromEntries(
    operations.accounts.flatMap(({ id }) => {
      const credential = own[ownCredential({ id })];
      return credential === undefined ? [] : [[variableOf(id), credential]];
    }),
  );

/** The programs of both documents in one language, with values in the place of what a reader fills in. */
const snippetsOf = (language: RunLanguage | 'go', own: ExampleValues): readonly Snippet[] =>
  DOCUMENT_NAMES.flatMap((document) =>
    operations[document].filter(isRun).flatMap(({ id, samples }) =>
      samples
        .filter(({ lang }) => lang === language)
        .map(({ label, source }) => ({
          name: `${document}.${id}${label.includes(', ') ? `.${label.split(', ')[1]}` : ''}`,
          source: withOwnCredential(source, id, own)
            .replaceAll(PLACEHOLDER, (text) => exampleValue(own, id, nameOf(text)) ?? text)
            .replaceAll(ONLY_ONCE, (text) => `${language}-${text}`),
        })),
    ),
  );

/** Python where the machine has it. */
const LANGUAGES: readonly RunLanguage[] = ['curl', 'typescript', ...((await hasPython()) ? (['python'] as const) : [])];

const environmentOf = ({ apiKey, token }: Customer) => ({
  GATEWAY_URL: stack.baseUrl,
  GATEWAY_API_KEY: apiKey,
  GATEWAY_ACCOUNT_URL: stack.system.accountUrl,
  GATEWAY_SESSION: token,
  GATEWAY_ADMIN_TOKEN: stack.system.adminToken,
});

describe('the programs of the documents', () => {
  it.each(LANGUAGES)('in %s get their answers', async (language) => {
    const own = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });
    const ownValues = await new ExampleResources(stack, own, receiver.url).make();
    const snippets = snippetsOf(language, ownValues);
    const environment = { ...environmentOf(own), ...ownCredentials(ownValues) };
    expect(await runSnippets(language, snippets, environment)).toEqual(snippets.map(({ name }) => `${name} passed`));
    expect(snippets.length).toBeGreaterThan(80);
  });

  // One of each form: JSON, events, a form with a file, an answer that is a file.
  const run = ['models.get', 'chat.completions.stream', 'files.create', 'audio.speech'].map((id) => `public.${id}`);
  const { GO: go } = process.env;
  (go === undefined ? it.skip : it)('in go compile, and get their answers', async () => {
    const snippets = snippetsOf('go', values);
    const environment = environmentOf(customer);
    expect(await runGo(go as string, snippets, { run, environment })).toEqual({
      faults: '',
      ran: run.map((name) => `${name} passed`),
    });
  });
});

describe('the programs of the README and the how-tos', () => {
  it('run as they stand, or say why not', async () => {
    const blocks = callingBlocks();
    expect(blocks.filter((block) => !isRunnable(block))).toHaveLength(NOT_RUN.length);
    const pages = [...Map.groupBy(blocks.filter(isRunnable), ({ page }) => page)];
    const runs = pages.map(async ([page, own]) => {
      const results = await runPage(own, await pageValues(stack, receiver.url));
      return results.map((result) => `${page}: ${result}`);
    });
    const results = (await Promise.all(runs)).flat();
    expect(results.filter((result) => !result.endsWith(': passed'))).toEqual([]);
    expect(pages.length).toBeGreaterThan(8);
  });
});

/** 20,000 requests, by the size of each document's schemas. CONTRACT_REQUESTS draws another number from each. */
const DRAWN = { public: 15_000, accounts: 5_000 };
const drawnFrom = (name: DocumentName): number => Number(process.env.CONTRACT_REQUESTS ?? DRAWN[name]);
const SEED = Number(process.env.CONTRACT_SEED ?? 20_261_122);
/** Of each operation, for each caller. */
const DRAWN_FOR_EACH = 2;
describe.each(DOCUMENT_NAMES)('requests drawn from the %s document', (name) => {
  beforeAll(() => leaveVendorSchema());

  it(`succeed or get a clear refusal: no fault of the server, no hang (seed ${SEED})`, async () => {
    const requests = drawRequests(readDocument(name), operations[name], { count: drawnFrom(name), seed: SEED });
    const checks = requests.map((request) => () => {
      const credential = credentialOf(request.operation.scheme, customer, stack);
      return faultOf(baseUrls[name], request, { credential, judge: isServerFault });
    });
    expect((await faultsOf(checks)).slice(0, 10)).toEqual([]);
  });

  it(`admit each caller to what the document says, and no other (seed ${SEED})`, async () => {
    const callers = await makeCallers(stack);
    const drawn = drawEach(readDocument(name), operations[name], { count: DRAWN_FOR_EACH, seed: SEED });
    const checks = drawn.flatMap((request) =>
      callers
        .filter((caller) => !(isExcluded(request.operation) && mayCall(request.operation, caller)))
        .map((caller) => async () => {
          const judge = (status: number) => wrongAnswer(request, caller, status);
          const fault = await faultOf(baseUrls[name], request, { credential: caller.token, judge });
          return fault === undefined ? undefined : `${caller.name}: ${fault}`;
        }),
    );
    expect((await faultsOf(checks)).slice(0, 10)).toEqual([]);
    expect(checks.length).toBeGreaterThan(500);
  });
});
