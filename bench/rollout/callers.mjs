import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCalls, openClient } from './customer-clients.mjs';
import { Fault } from './tally.mjs';

/*
 * What customers do while everything is rolled out. Each caller checks all of its answer and gives back the id of the
 * request that was charged.
 */

export const MODELS = {
  chat: 'gp-5.4-mini',
  stream: 'cl-sonnet-4-6',
  embeddings: 'text-embedding-v4',
  image: 'gp-image-1',
  video: 'wn2.6-t2v',
  tool: 'gm-2.5-flash',
};

const idOf = (response) => response.headers.get('x-request-id');
const say = (content) => [{ role: 'user', content }];

/** A whole answer. */
export function chat({ baseUrl, apiKey }, { kind = 'chat', restMs } = {}) {
  const client = openClient(baseUrl, apiKey);
  const body = { model: MODELS.chat, messages: say('{{sim words=20 delay_ms=30}} Go on'), max_completion_tokens: 200 };
  return {
    kind,
    restMs,
    async ask() {
      const { data, response } = await client.chat.completions.create(body).withResponse();
      if (data.choices[0]?.finish_reason !== 'stop') throw new Fault('wrong', 'no whole answer', idOf(response));
      return idOf(response);
    },
  };
}

/** A stream of that many chunks, one every `chunkMs`. */
export function stream({ baseUrl, apiKey }, { kind, chunks, chunkMs }) {
  const client = openClient(baseUrl, apiKey);
  const messages = say(`{{sim chunks=${chunks} chunk_ms=${chunkMs}}} Go on`);
  const body = { model: MODELS.stream, stream: true, messages };
  return {
    kind,
    async ask() {
      const { data, response } = await client.chat.completions.create(body).withResponse();
      const requestId = idOf(response);
      let pieces = 0;
      let finish;
      try {
        for await (const { choices } of data) {
          if (choices[0]?.delta.content) pieces += 1;
          finish = choices[0]?.finish_reason ?? finish;
        }
      } catch (error) {
        throw new Fault('cut', `after ${pieces} of ${chunks} chunks: ${error.message}`, requestId);
      }
      if (pieces !== chunks || finish !== 'stop')
        throw new Fault('cut', `${pieces} of ${chunks} chunks, finish_reason ${finish}`, requestId);
      return requestId;
    },
  };
}

export function embeddings({ baseUrl, apiKey }) {
  const client = openClient(baseUrl, apiKey);
  const body = { model: MODELS.embeddings, input: ['one', 'two', 'three'] };
  return {
    kind: 'embeddings',
    restMs: 100,
    async ask() {
      const { data, response } = await client.embeddings.create(body).withResponse();
      if (data.data.length !== 3) throw new Fault('wrong', `${data.data.length} vectors of 3`, idOf(response));
      return idOf(response);
    },
  };
}

export function image({ baseUrl, apiKey }) {
  const client = openClient(baseUrl, apiKey);
  const body = { model: MODELS.image, prompt: '{{sim delay_ms=1500}} A kite', quality: 'low' };
  return {
    kind: 'image',
    restMs: 500,
    async ask() {
      const { data, response } = await client.images.generate(body).withResponse();
      if (!data.data[0]?.b64_json) throw new Fault('wrong', 'no picture', idOf(response));
      return idOf(response);
    },
  };
}

/** The same request twice under one key: the second is given the first's answer, from whichever copy, and pays nothing. */
export function askedTwice({ baseUrl, apiKey }) {
  const [first, second] = [openCalls(baseUrl, apiKey), openCalls(baseUrl, apiKey)];
  const body = { model: MODELS.chat, messages: say('{{sim words=20}} Once') };
  return {
    kind: 'asked twice',
    restMs: 200,
    async ask() {
      const headers = { 'idempotency-key': randomUUID() };
      const answer = await first.post('/v1/chat/completions', body, headers);
      const again = await second.post('/v1/chat/completions', body, headers);
      const isReplay = again.headers.get('idempotent-request-id') === idOf(answer) && again.text === answer.text;
      if (!isReplay) throw new Fault('wrong', `${idOf(answer)} was run again as ${idOf(again)}`, idOf(answer));
      return idOf(answer);
    },
  };
}

const TASK_PATIENCE_MS = 60_000;

/** A video from its submission to its end, and told to `webhooks`. */
export function video({ baseUrl, apiKey }, { seconds, webhooks }) {
  const calls = openCalls(baseUrl, apiKey);
  const body = {
    model: MODELS.video,
    duration: 5,
    input: { prompt: `{{sim task_seconds=${seconds}}} A kite` },
    webhook_url: webhooks.url,
  };
  return {
    kind: 'video task',
    async ask() {
      const submitted = await calls.post('/v1/videos/generations', body);
      const { id } = JSON.parse(submitted.text);
      webhooks.expect(id);
      const untilMs = Date.now() + TASK_PATIENCE_MS;
      for (;;) {
        await sleep(500);
        const { status } = JSON.parse((await calls.get(`/v1/videos/generations/${id}`)).text);
        if (status === 'succeeded') return idOf(submitted);
        if (status === 'failed' || status === 'cancelled' || status === 'expired')
          throw new Fault('wrong', `${id} is ${status}`, idOf(submitted));
        if (Date.now() > untilMs) throw new Fault('wrong', `${id} is still ${status}`, idOf(submitted));
      }
    },
  };
}

/** A tool of the MCP server that runs a model. */
export function tool({ mcpUrl, apiKey }) {
  const calls = openCalls(mcpUrl, apiKey);
  const params = {
    name: 'chat',
    arguments: { model: MODELS.tool, messages: say('{{sim words=20 delay_ms=200}} Go on') },
  };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
  return {
    kind: 'tool',
    restMs: 100,
    async ask() {
      const answer = await calls.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
      const message = answer.text
        .split('\n')
        .findLast((line) => line.startsWith('data: '))
        ?.slice('data: '.length);
      const { result } = JSON.parse(message ?? answer.text);
      const requestId = result?.structuredContent?.gateway?.request_id;
      if (result === undefined || result.isError) throw new Fault('5xx', answer.text.slice(0, 300), requestId);
      return requestId;
    },
  };
}

/** A person who looks at the balance. */
export const balance = (customer) => ({
  kind: 'account',
  restMs: 100,
  ask: async () => void (await customer.balance()),
});

/** One whose balance is small and topped up often, so that every few of the requests need the next block of it. */
export const topUp = (customer, amountUsd) => ({
  kind: 'account',
  restMs: 1_000,
  ask: async () => void (await customer.topUp(amountUsd)),
});
