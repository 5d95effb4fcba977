import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { eventually, startTestStack, WebhookReceiver } from '@gateway/testing';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { DOCUMENTS, type Operation, operationsOf, readDocument } from './document.js';
import { type DrawnRequest, drawRequests } from './drawn-requests.js';
import { type RecordedAnswer, recordedAnswer } from './recorded-answers.js';
import { credentialOf, type ExampleValues, sendExample } from './send-example.js';

jest.setTimeout(180_000);

const stack = await startTestStack();
const receiver = await WebhookReceiver.open();
afterAll(async () => {
  await receiver.close();
  await stack.stop();
});

const customer = await stack.createCustomer({ creditUsd: '1000', limits: { rpm: 0, concurrency: 0 } });

type DocumentName = 'public' | 'accounts';
const baseUrls = { public: stack.baseUrl, accounts: stack.system.accountUrl };
const operations = {
  public: operationsOf(readDocument('public')),
  accounts: operationsOf(readDocument('accounts')),
};

const call = async (path: string, body?: object): Promise<Record<string, unknown>> => {
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { ...((await response.json()) as object), requestId: response.headers.get('x-request-id') };
};

/** What examples refer to. */
async function prepareValues(): Promise<ExampleValues> {
  const chat = { model: 'gm-2.5-flash', messages: [{ role: 'user', content: 'Say hello' }] };
  const { requestId } = await call('/v1/chat/completions', chat);
  const response = await call('/v1/responses', { model: 'cl-sonnet-4-6', input: 'Say hello' });
  const conversation = await call('/v1/conversations', { items: [{ role: 'user', content: 'I fold boats.' }] });
  const task = await call('/v1/videos/generations', {
    model: 'wn2.7-t2v',
    duration: 2,
    resolution: '720p',
    input: { prompt: 'A paper boat' },
  });
  const later = await fetch(`${stack.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.apiKey}`,
      'content-type': 'application/json',
      prefer: 'respond-async',
    },
    body: JSON.stringify(chat),
  });
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new Blob(['{"custom_id":"1"}\n']), 'requests.jsonl');
  const headers = { authorization: `Bearer ${customer.apiKey}` };
  const file = await fetch(`${stack.baseUrl}/v1/files`, { method: 'POST', headers, body: form });
  const endpoint = await stack.accounts.createWebhookEndpoint(customer.token, { url: `${receiver.url}/first` });
  const { id: laterId } = (await later.json()) as { id: string };
  await eventually(async () => expect(await call(`/v1/requests/${laterId}`)).toMatchObject({ status: 'completed' }));
  await eventually(async () =>
    expect(await call(`/v1/videos/generations/${task.id}`)).toMatchObject({ progress: 100 }),
  );
  return {
    requestId: String(requestId),
    responseId: String(response.id),
    conversationId: String(conversation.id),
    taskId: String(task.id),
    laterId,
    fileId: ((await file.json()) as { id: string }).id,
    endpointId: endpoint.id,
    webhookUrl: `${receiver.url}/second`,
    accountId: customer.accountId,
    keyId: (await customer.newKey()).id,
    spareKeyId: (await customer.newKey()).id,
  };
}

const values = await prepareValues();

const fileOf = (name: DocumentName): URL => new URL(`recorded/${name}.json`, DOCUMENTS);

async function answersOf(name: DocumentName): Promise<Readonly<Record<string, RecordedAnswer>>> {
  const answers: Record<string, RecordedAnswer> = {};
  for (const operation of operations[name]) {
    for (const [example, request] of Object.entries(operation.examples)) {
      const credential = credentialOf(operation.scheme, customer, stack);
      const response = await sendExample(baseUrls[name], operation, { request, values, credential });
      const text = await response.text();
      answers[`${operation.id}/${example}`] = recordedAnswer(response.status, response.headers, text);
    }
  }
  return answers;
}

const outcomeOf = ({ status, contentType }: RecordedAnswer) => `${status} ${contentType}`;
const outcomes = (answers: Readonly<Record<string, RecordedAnswer>>) =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, outcomeOf(answer)]));

const isWrong = (operation: Operation, example: string) => operation.examples[example]?.isWrong === true;

describe.each(['public', 'accounts'] as const)('the examples of the %s document', (name) => {
  it('get the recorded answers (record with UPDATE_GOLDEN=1, then regenerate the documents)', async () => {
    const answers = await answersOf(name);
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(fileOf(name), `${JSON.stringify(answers, null, 2)}\n`);
    const recorded = existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : '{}';
    // A new example is recorded by its author's next run; until then the document shows it without an answer.
    expect(outcomes(answers)).toMatchObject(outcomes(JSON.parse(recorded) as Record<string, RecordedAnswer>));
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

/** `npm test` draws this many; CONTRACT_REQUESTS draws more of them. */
const DRAWN = Number(process.env.CONTRACT_REQUESTS ?? 2_000);
const SEED = Number(process.env.CONTRACT_SEED ?? 20_261_122);
const CONCURRENT = 24;
const HANGS_AFTER_MS = 20_000;

/** What is wrong with the answer to a drawn request: a fault of the server, or none at all. */
async function faultOf(name: DocumentName, { operation, path, body }: DrawnRequest): Promise<string | undefined> {
  const credential = credentialOf(operation.scheme, customer, stack);
  const shown = `${operation.method} ${path} ${body ?? ''}`.slice(0, 2_000);
  try {
    const response = await fetch(`${baseUrls[name]}${path}`, {
      method: operation.method,
      headers: {
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(HANGS_AFTER_MS),
    });
    const text = await response.text();
    return response.status < 500 ? undefined : `${response.status} ${text.slice(0, 300)} for ${shown}`;
  } catch (error) {
    return `${(error as Error).name} ${(error as Error).message} for ${shown}`;
  }
}

async function faultsOf(name: DocumentName, requests: readonly DrawnRequest[]): Promise<readonly string[]> {
  const faults: string[] = [];
  let next = 0;
  const send = async (): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const fault = await faultOf(name, request);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, send));
  return faults;
}

describe.each(['public', 'accounts'] as const)('requests drawn from the %s document', (name) => {
  it(`succeed or get a clear refusal: no fault of the server, no hang (seed ${SEED})`, async () => {
    const requests = drawRequests(readDocument(name), operations[name], { count: DRAWN, seed: SEED });
    expect((await faultsOf(name, requests)).slice(0, 10)).toEqual([]);
  });
});
