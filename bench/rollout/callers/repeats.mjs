import { randomUUID } from 'node:crypto';
import { openCalls } from '../customer-clients.mjs';
import { Fault } from '../tally.mjs';
import { idOf, MODELS, say } from './models.mjs';

/** More than Redis stores of one response, so that PostgreSQL stores it. */
const IMAGE_BYTES = 1_500_000;

/** Repeats the request under its key on new connections, so that every instance replays it. */
async function askAgain(calls, { path, body, headers }, answer) {
  const again = await calls.post(path, body, headers);
  const isReplay = again.headers.get('idempotent-request-id') === idOf(answer) && again.text === answer.text;
  if (!isReplay) throw new Fault('wrong', `${idOf(answer)} was run again as ${idOf(again)}`, idOf(answer));
}

/** The same request several times under one key: any instance replays the first response for free. */
function asked({ baseUrl, apiKey }, { kind, restMs, path, body, times }) {
  const first = openCalls(baseUrl, apiKey);
  const others = openCalls(baseUrl, apiKey, { keepsConnections: false });
  return {
    kind,
    restMs,
    async ask() {
      const request = { path, body, headers: { 'idempotency-key': randomUUID() } };
      const answer = await first.post(path, body, request.headers);
      for (let time = 1; time < times; time += 1) await askAgain(others, request, answer);
      return idOf(answer);
    },
  };
}

export const askedTwice = (to) =>
  asked(to, {
    kind: 'asked twice',
    restMs: 200,
    path: '/v1/chat/completions',
    body: { model: MODELS.chat, messages: say('{{sim words=20}} Once') },
    times: 2,
  });

export const largeAnswer = (to) =>
  asked(to, {
    kind: 'large, thrice',
    restMs: 1_000,
    path: '/v1/images/generations',
    body: { model: MODELS.image, prompt: `{{sim picture_bytes=${IMAGE_BYTES}}} A kite`, quality: 'low' },
    times: 3,
  });
