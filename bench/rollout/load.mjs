import * as bodies from './callers/bodies.mjs';
import { MODELS } from './callers/models.mjs';
import * as people from './callers/people.mjs';
import * as repeats from './callers/repeats.mjs';
import * as responses from './callers/responses.mjs';
import * as streams from './callers/streams.mjs';
import * as tools from './callers/tools.mjs';
import * as videos from './callers/videos.mjs';

const CHUNK_MS = 250;

/** A long stream takes longer than all other work, so that every process is replaced during one. */
export const planOf = (isQuick) => ({
  streamMs: isQuick ? 4_000 : 10_000,
  taskSeconds: isQuick ? 2 : 4,
  bodyMs: isQuick ? 1_500 : 3_000,
});

const times = (count, make) => Array.from({ length: count }, make);

/** Steady callers, callers with idle connections, short and long responses, tasks, tools and accounts. */
export function loadOf({ balancers, webhooks, customer, smallBalance }, { streamMs, taskSeconds, bodyMs }) {
  const to = { baseUrl: balancers['api-edge'].url, mcpUrl: balancers['mcp-server'].url, apiKey: customer.apiKey };
  const chunks = streamMs / CHUNK_MS;
  return [
    ...times(3, () => responses.chat(to)),
    ...[700, 1_900, 4_100].map((pauseMs) => responses.chat(to, { pauseMs })),
    responses.chat({ ...to, apiKey: smallBalance.apiKey }, { kind: 'chat, poor' }),
    ...times(4, () => streams.stream(to, { kind: 'long stream', chunks, chunkMs: CHUNK_MS })),
    ...times(2, () => streams.stream(to, { kind: 'short stream', chunks: 10, chunkMs: 50 })),
    ...times(2, () => streams.messages(to, { chunks, chunkMs: CHUNK_MS })),
    responses.embeddings(to),
    responses.image(to),
    repeats.sentTwice(to),
    repeats.largeResponse(to),
    ...times(2, () => bodies.slowChat(to, { overMs: bodyMs })),
    ...times(2, () => bodies.upload(to, { overMs: bodyMs })),
    ...times(2, () => videos.video(to, { seconds: taskSeconds, webhooks })),
    videos.videoWaitedFor(to, { seconds: taskSeconds }),
    videos.videoFollowed(to, { seconds: taskSeconds }),
    tools.tool(to),
    tools.toolsThatRead(to),
    people.balance(customer),
    people.topUp(smallBalance, '0.004'),
    people.receipt(customer, responses.chat(to)),
  ];
}

/** One request of each model before the load starts. */
export const oneOfEach = (load) =>
  Object.entries({
    [MODELS.chat]: 'chat',
    [MODELS.stream]: 'short stream',
    [MODELS.embeddings]: 'embeddings',
    [MODELS.image]: 'image',
    [MODELS.video]: 'video task',
    [MODELS.tool]: 'tool',
  }).map(([model, kind]) => [model, load.find((caller) => caller.kind === kind)]);
