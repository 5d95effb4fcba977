import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CuttingVendor, endCut } from '../support/cutting-vendor.js';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';

const vendor = await CuttingVendor.open();
const channel = (name: string) => ({ [`${name}_API_KEY`]: 'vendor-key', [`${name}_BASE_URL`]: vendor.url });
const stack = await startTestStack({
  env: { 'sync-worker': { ...channel('OPENAI'), ...channel('ANTHROPIC'), ...channel('GEMINI') } },
});
const customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
const AT_ONCE = 8;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
afterAll(async () => {
  agent.destroy();
  await stack.stop();
  await vendor.close();
});

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

/** Characters of one to four bytes, escapes, and numbers that a parser would spell in another way. */
const ODD = String.raw`{ "text" :"a\/b \u00e9 é “😀” \ud83d\ude00","n":[1e0 , 12345678901234567890,-0.0],"b" : { } }`;

interface Exchange {
  readonly name: string;
  readonly path: string;
  /** What the client sends, and what the vendor gets of it. */
  readonly sent: string;
  readonly forwarded: string;
  /** What the vendor answers, and what the client gets of it. */
  readonly answer: string;
  readonly delivered: string;
  readonly isStream?: true;
}

const CHAT_USAGE =
  '{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}}';
const chatAnswer = (model: string): string =>
  `{ "id":"chatcmpl-1","object" : "chat.completion","created":1,"model" : "${model}","choices":[{"index":0,"message":{"role":"assistant","content":"x","refusal":null,"own":${ODD}},"finish_reason":"stop"}],\n"usage":${CHAT_USAGE},"novelty":${ODD} }\n`;
const chunk = (model: string, rest: string): string =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model" : "${model}",${rest}}\n\n`;
const chatStream = (model: string): string =>
  [
    chunk(
      model,
      `"choices":[{"index":0,"delta":{"role":"assistant","content":"x","own":${ODD}},"finish_reason":null}]`,
    ),
    chunk(model, '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]'),
    chunk(model, `"choices":[],"usage":${CHAT_USAGE}`),
    'data: [DONE]\n\n',
  ].join('');

const RESPONSE_USAGE =
  '{"input_tokens":5,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":7}';
const responseOf = (id: string, model: string, status: string, usage: string): string =>
  `{ "id":"${id}","object":"response","created_at":1,"status":"${status}","model" : "${model}","store": false,"output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"x","annotations":[],"own":${ODD}}]}],"usage":${usage},"novelty":${ODD} }`;
const responseStream = (id: string, model: string): string =>
  [
    `event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":${responseOf(id, model, 'in_progress', 'null')}}\n\n`,
    `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":1,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"x","own":${ODD}}\n\n`,
    `event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":${responseOf(id, model, 'completed', RESPONSE_USAGE)}}\n\n`,
  ].join('');

const messageOf = (model: string): string =>
  `{ "id":"msg_1","type":"message","role":"assistant","model" : "${model}","content":[{"type":"text","text":"x","own":${ODD}}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":2},"novelty":${ODD} }\n`;
const messageStream = (model: string): string =>
  [
    `event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model" : "${model}","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}}\n\n`,
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x","own":${ODD}}}\n\n`,
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ].join('');

const contentOf = (model: string): string =>
  `{ "candidates":[{"content":{"parts":[{"text":"x","own":${ODD}}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"totalTokenCount":7},"modelVersion" : "${model}","responseId":"r","novelty":${ODD} }`;

const TEXT = String.raw`"a\/b \u00e9 é “😀” \ud83d\ude00"`;
const chatBody = (model: string, head: string, more = ''): string =>
  `{${head}"model"${more === '' ? ':' : more}"${model}","messages":[ {"role" : "user","content":${TEXT}} ],"max_completion_tokens":500,"seed":7`;

const EXCHANGES: readonly Exchange[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    sent: `${chatBody('gp-5.4-mini', ' ', ' : ')}}`,
    forwarded: `${chatBody('gpt-5.4-mini', '')}}`,
    answer: chatAnswer('gpt-5.4-mini-2026'),
    delivered: chatAnswer('gp-5.4-mini'),
  },
  {
    name: 'streamed chat completions',
    path: '/v1/chat/completions',
    sent: `${chatBody('gp-5.4-mini', ' ', ' : ')},"stream":true,"stream_options":{"include_usage":true}}`,
    forwarded: `${chatBody('gpt-5.4-mini', '')},"stream":true,"stream_options":{"include_usage":true}}`,
    answer: chatStream('gpt-5.4-mini-2026'),
    delivered: chatStream('gp-5.4-mini'),
    isStream: true,
  },
  {
    name: 'responses',
    path: '/v1/responses',
    sent: `{ "model" : "gp-5.4-mini","input":[ {"role" : "user","content":${TEXT}} ],"store":false,"max_output_tokens":500}`,
    forwarded: `{"model":"gpt-5.4-mini","input":[ {"role" : "user","content":${TEXT}} ],"store":false,"max_output_tokens":500}`,
    answer: responseOf('resp_1', 'gpt-5.4-mini-2026', 'completed', RESPONSE_USAGE),
    delivered: responseOf('resp_', 'gp-5.4-mini', 'completed', RESPONSE_USAGE),
  },
  {
    name: 'streamed responses',
    path: '/v1/responses',
    sent: `{ "model" : "gp-5.4-mini","input":${TEXT} ,"store":false,"max_output_tokens":500,"stream":true}`,
    forwarded: `{"model":"gpt-5.4-mini","input":${TEXT},"store":false,"max_output_tokens":500,"stream":true}`,
    answer: responseStream('resp_1', 'gpt-5.4-mini-2026'),
    delivered: responseStream('resp_', 'gp-5.4-mini'),
    isStream: true,
  },
  {
    name: 'messages',
    path: '/v1/messages',
    sent: `{ "model" : "cl-sonnet-4-6","max_tokens":5e2,"messages":[ {"role" : "user","content":${TEXT}} ] }`,
    forwarded: `{ "model" : "claude-sonnet-4-6","max_tokens":5e2,"messages":[ {"role" : "user","content":${TEXT}} ] }`,
    answer: messageOf('claude-sonnet-4-6'),
    delivered: messageOf('cl-sonnet-4-6'),
  },
  {
    name: 'streamed messages',
    path: '/v1/messages',
    sent: `{ "model" : "cl-sonnet-4-6","max_tokens":5e2,"stream" : true,"messages":[ {"role" : "user","content":${TEXT}} ] }`,
    forwarded: `{ "model" : "claude-sonnet-4-6","max_tokens":5e2,"stream" : true,"messages":[ {"role" : "user","content":${TEXT}} ] }`,
    answer: messageStream('claude-sonnet-4-6'),
    delivered: messageStream('cl-sonnet-4-6'),
    isStream: true,
  },
  ...([':generateContent', ':streamGenerateContent?alt=sse'] as const).map((method): Exchange => {
    const sent = `{ "contents":[ {"role" : "user","parts":[{"text":${TEXT}}]} ],"generationConfig":{"maxOutputTokens":5e2} }`;
    const isStream = method.startsWith(':stream');
    const answerOf = (model: string) => (isStream ? `data: ${contentOf(model)}\n\n` : `${contentOf(model)}\n`);
    return {
      name: isStream ? 'streamed contents' : 'contents',
      path: `/v1beta/models/gm-2.5-flash${method}`,
      sent,
      forwarded: sent,
      answer: answerOf('gemini-2.5-flash-001'),
      delivered: answerOf('gm-2.5-flash'),
      ...(isStream && { isStream }),
    };
  }),
];

/** Sends the body cut at a byte, and returns all bytes of the answer. */
async function exchange({ path, sent }: Exchange, cut: number): Promise<string> {
  const bytes = Buffer.from(sent);
  const outgoing = request(`${stack.baseUrl}${path}`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `Bearer ${customer.apiKey}`,
      'content-type': JSON_TYPE,
      'content-length': bytes.length,
      'anthropic-version': '2023-06-01',
    },
  });
  endCut(outgoing, bytes, cut);
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage];
  return text(message);
}

/** Each response has an id of its own. */
const withoutId = (answer: string): string => answer.replaceAll(/"resp_\w*"/g, '"resp_"');

/** A whole body is cut at each byte. Events are cut at each byte by the tests of each protocol, so here at every 13th. */
describe.each(EXCHANGES)('$name', (one) => {
  const step = one.isStream === true ? 13 : 1;
  const length = Math.max(Buffer.byteLength(one.sent), Buffer.byteLength(one.answer)) + 1;
  const cuts = Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);

  it('are the same bytes for vendor and client, wherever the network cuts them', async () => {
    vendor.serve(one.answer, one.isStream === true ? STREAM_TYPE : JSON_TYPE, step);
    const delivered: string[] = [];
    const waiting = cuts.values();
    const sendAll = async () => {
      for (const cut of waiting)
        delivered.push(withoutId(await exchange(one, cut % (Buffer.byteLength(one.sent) + 1))));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
    expect([...new Set(delivered)]).toEqual([one.delivered]);
    expect([...new Set(vendor.received)]).toEqual([one.forwarded]);
    expect([delivered.length, vendor.received.length]).toEqual([cuts.length, cuts.length]);
  });
});

it('leaves a consistent ledger', () => expectConsistentLedger(stack, [customer]));
