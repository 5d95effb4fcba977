import { randomUUID } from 'node:crypto';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { MODELS, responseId, userMessage } from './models.mjs';

/** Too large for Redis: PostgreSQL stores the response. */
const IMAGE_BYTES = 1_500_000;

/** Repeats the request with its idempotency key. Each repeat uses a new connection, so that it reaches every copy. */
async function sendRepeat(calls, { path, body, headers }, response) {
  const again = await calls.post(path, body, headers);
  const isReplay = again.headers.get('idempotent-request-id') === responseId(response) && again.text === response.text;
  if (!isReplay)
    throw new Fault('wrong', `${responseId(response)} was run again as ${responseId(again)}`, responseId(response));
}

/** The same request several times under one key: all but the first are given its response, from whichever copy, and pay nothing. */
function repeat({ baseUrl, apiKey }, { kind, pauseMs, path, body, times }) {
  const first = openCalls(baseUrl, apiKey);
  const others = openCalls(baseUrl, apiKey, { keepsConnections: false });
  return {
    kind,
    pauseMs,
    async call() {
      const request = { path, body, headers: { 'idempotency-key': randomUUID() } };
      const response = await first.post(path, body, request.headers);
      for (let time = 1; time < times; time += 1) await sendRepeat(others, request, response);
      return responseId(response);
    },
  };
}

export const repeated = (to) =>
  repeat(to, {
    kind: 'repeated',
    pauseMs: 200,
    path: '/v1/chat/completions',
    body: { model: MODELS.chat, messages: userMessage('{{sim words=20}} Once') },
    times: 2,
  });

export const largeRepeated = (to) =>
  repeat(to, {
    kind: 'large, repeated',
    pauseMs: 1_000,
    path: '/v1/images/generations',
    body: { model: MODELS.image, prompt: `{{sim picture_bytes=${IMAGE_BYTES}}} A kite`, quality: 'low' },
    times: 3,
  });
