import { randomUUID } from 'node:crypto';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, messagesOf } from './models.mjs';

/** More than Redis stores of one response, so that PostgreSQL stores it. */
const IMAGE_BYTES = 1_500_000;

/** Repeats the request under its key on new connections, so that every instance replays it. */
async function repeatRequest(calls, { path, body, headers }, response) {
  const again = await calls.post(path, body, headers);
  const isReplay = again.headers.get('idempotent-request-id') === idOf(response) && again.text === response.text;
  if (!isReplay) throw new Fault('wrong', `${idOf(response)} was run again as ${idOf(again)}`, idOf(response));
}

/** The same request several times under one key: any instance replays the first response for free. */
function repeated({ baseUrl, apiKey }, { kind, pauseMs, path, body, times }) {
  const first = openCalls(baseUrl, apiKey);
  const others = openCalls(baseUrl, apiKey, { keepsConnections: false });
  return {
    kind,
    pauseMs,
    async run() {
      const request = { path, body, headers: { 'idempotency-key': randomUUID() } };
      const response = await first.post(path, body, request.headers);
      for (let time = 1; time < times; time += 1) await repeatRequest(others, request, response);
      return idOf(response);
    },
  };
}

export const sentTwice = (to) =>
  repeated(to, {
    kind: 'sent twice',
    pauseMs: 200,
    path: '/v1/chat/completions',
    body: { model: MODELS.chat, messages: messagesOf('{{sim words=20}} Once') },
    times: 2,
  });

export const largeResponse = (to) =>
  repeated(to, {
    kind: 'large, thrice',
    pauseMs: 1_000,
    path: '/v1/images/generations',
    body: { model: MODELS.image, prompt: `{{sim picture_bytes=${IMAGE_BYTES}}} A kite`, quality: 'low' },
    times: 3,
  });
