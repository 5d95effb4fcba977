import { setTimeout as sleep } from 'node:timers/promises';
import { newApiKey } from '@gateway/contracts';
import { ADDRESSES } from './addresses.mjs';
import { beginMessage, holdOpen } from './raw-request.mjs';

const MODEL = 'gm-3.5-flash-lite';
const REFILL_MS = 10;
const MEBIBYTE = 2 ** 20;
const FROM = { 'x-forwarded-for': ADDRESSES.attacker };

const chat = (content, more = {}) => JSON.stringify({ model: MODEL, messages: [{ role: 'user', content }], ...more });

/** An attacker's request. It counts the status; a refusal and a closed connection are what the gateway should do. */
async function post({ baseUrl, statuses, signal }, apiKey, body, path = '/v1/chat/completions') {
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { ...FROM, authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
      signal,
    });
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  } catch {
    statuses.set('closed', (statuses.get('closed') ?? 0) + 1);
  }
}

/** Keeps `count` copies of `run` running until the signal aborts. */
async function keepRunning({ signal }, count, run) {
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      while (!signal.aborted) {
        await run(at);
        await sleep(REFILL_MS);
      }
    }),
  );
}

const untilAborted = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

async function holdMany(attack, count, request) {
  const sockets = Array.from({ length: count }, () => holdOpen(attack.baseUrl, request));
  await untilAborted(attack.signal);
  for (const socket of sockets) socket.destroy();
}

/** As many headers as an edge reads. */
const LONG_HEADERS = Object.fromEntries(
  Array.from({ length: 150 }, (_, at) => [`x-long-header-${at}`, 'x'.repeat(24)]),
);

/** Reads the list of models again and again, without a pause. */
async function readWithLongHeaders({ baseUrl, statuses, signal, keys }, at) {
  const apiKey = keys[at % keys.length];
  const headers = { ...FROM, ...LONG_HEADERS, authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseUrl}/v1/models`, { headers, signal }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => undefined);
  const status = response?.status ?? 'closed';
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

const manyNames = (count) =>
  `{"model":"${MODEL}","messages":[{"role":"user","content":"hi"}],"metadata":{${Array.from({ length: count }, (_, at) => `"n${at}":1`).join(',')}}}`;

/** Reads the first bytes of a stream, and leaves. */
async function leaveEarly({ baseUrl, signal }, apiKey) {
  const leave = new AbortController();
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...FROM, authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: chat('{{sim reasoning_tokens=2000}} hi', { stream: true, max_tokens: 4_096 }),
    signal: AbortSignal.any([signal, leave.signal]),
  }).catch(() => undefined);
  await response?.body
    ?.getReader()
    .read()
    .catch(() => undefined);
  leave.abort();
}

/** An image of one pixel that is long: it costs little, and a history with it is long. */
const LONG_IMAGE = `data:image/png;base64,${Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.alloc(6 * MEBIBYTE),
]).toString('base64')}`;

/** Continues one long stored response with many short requests. */
async function continueHistory(attack) {
  const [apiKey] = attack.keys;
  const stored = await fetch(`${attack.baseUrl}/v1/responses`, {
    method: 'POST',
    headers: { ...FROM, authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gp-5.4-mini',
      max_output_tokens: 16,
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: LONG_IMAGE }] }],
    }),
    signal: attack.signal,
  })
    .then((response) => response.json())
    .catch(() => undefined);
  // The attack has ended before its first response, such as beside a server that answers rarely.
  if (stored === undefined) return;
  const body = JSON.stringify({
    model: 'gp-5.4-mini',
    max_output_tokens: 16,
    previous_response_id: stored.id,
    input: 'And?',
  });
  await keepRunning(attack, 32, (at) => post(attack, attack.keys[at % attack.keys.length], body, '/v1/responses'));
}

/** What a hostile customer may try. Each runs until its signal aborts. `keys`: of an account with $20; `free`: with $0. */
export const ATTACKS = {
  'test keys that wait': (attack) =>
    keepRunning(attack, 576, (at) =>
      post(attack, attack.testKeys[at % attack.testKeys.length], chat('{{sim delay_ms=4000}} hi')),
    ),
  'slow paid requests': (attack) =>
    keepRunning(attack, 620, (at) =>
      post(attack, attack.keys[at % attack.keys.length], chat('{{sim delay_ms=4000}} hi')),
    ),
  'bodies of 499,000 names': (attack) => {
    const body = manyNames(499_000);
    return keepRunning(attack, 2, () => post(attack, attack.freeKey, body));
  },
  'bodies of 30 MB without credit': (attack) => {
    const body = chat('x'.repeat(30 * MEBIBYTE));
    return keepRunning(attack, 12, () => post(attack, attack.freeKey, body));
  },
  'bodies of 30 MB that never end': (attack) =>
    holdMany(attack, 16, {
      path: '/v1/chat/completions',
      apiKey: attack.keys[0],
      body: Buffer.alloc(30 * MEBIBYTE, 'x'),
    }),
  'uploads of 49 MB that never end': (attack) =>
    holdMany(attack, 8, {
      path: '/v1/images/edits',
      apiKey: attack.freeKey,
      contentType: 'multipart/form-data; boundary=b',
      body: Buffer.concat([
        Buffer.from(
          '--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
        ),
        Buffer.alloc(49 * MEBIBYTE),
      ]),
    }),
  'messages of sockets that never end': async (attack) => {
    // One body for all: the client's memory is not what is measured.
    const body = Buffer.alloc(16 * MEBIBYTE, 'x');
    const sockets = Array.from({ length: 400 }, (_, at) =>
      beginMessage(attack.baseUrl, { apiKey: attack.keys[at % attack.keys.length], body }),
    );
    await untilAborted(attack.signal);
    for (const socket of sockets) socket.destroy();
  },
  'long histories, continued by short requests': continueHistory,
  'refused requests without a pause': (attack) =>
    keepRunning(attack, 32, () => post(attack, attack.keys[0], '{"model":')),
  'reads with long headers': (attack) => keepRunning(attack, 40, (at) => readWithLongHeaders(attack, at)),
  'requests without a key': (attack) => keepRunning(attack, 32, () => post(attack, 'none', chat('hi'))),
  'unknown keys': (attack) => keepRunning(attack, 32, () => post(attack, newApiKey(), chat('hi'))),
  'streams left after their first chunk': (attack) =>
    keepRunning(attack, 32, (at) => leaveEarly(attack, attack.keys[at % attack.keys.length])),
};
