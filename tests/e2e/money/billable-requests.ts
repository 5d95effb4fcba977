import type { ModelEntry } from '@gateway/contracts';
import { createPng, encodedForm, type RawRequest, type SeededRandom } from '@gateway/testing';
import { familyRequests } from '../videos/video-families.js';

/** A drawn request, and the body by which its quote is asked. */
export interface BillableRequest {
  /** The path of the endpoint, by which a quote is asked. */
  readonly endpoint: string;
  readonly path: string;
  readonly quoted: Readonly<Record<string, unknown>>;
  /** Present: sent as a message of a socket. */
  readonly turn?: object;
  send(): Promise<Pick<RawRequest, 'body' | 'headers'>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Texts with few and with many tokens in a character. */
const SCRIPTS = ['the ferry leaves at nine ', '8', 'f4a9', '🦊', '漢', 'ба', '{"a":[0]}', ' \t'];
const IMAGE = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
const REFERENCE = 'https://example.com/a.png';
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const WAV_HEAD = '524946462400000057415645666d74201000000001000100401f0000401f00000100080064617461401f0000';
const MOST_TOKENS = 12_000;

const text = (random: SeededRandom, most = 2_000): string => {
  const script = random.pick(SCRIPTS);
  return `x${script.repeat(Math.ceil(random.whole(1, most) / script.length))}`;
};

/** What a vendor may do that costs more than the visible answer. */
const directives = (random: SeededRandom): string => {
  const words = [
    ...(random.chance(0.5) ? [`reasoning_tokens=${random.whole(0, MOST_TOKENS)}`] : []),
    ...(random.chance(0.3) ? [`completion_tokens=${random.whole(1, MOST_TOKENS)}`] : []),
  ];
  return words.length === 0 ? '' : `{{sim ${words.join(' ')}}} `;
};
const prompt = (random: SeededRandom): string => directives(random) + text(random);

/** A field that about half of the requests have. */
const maybe = (random: SeededRandom, name: string, value: unknown): Fields =>
  random.chance(0.5) ? { [name]: value } : {};
const cap = (random: SeededRandom): number => random.whole(16, 9_000);
const effort = (random: SeededRandom): string => random.pick(['low', 'medium', 'high']);

/** Anthropic's newer models choose their budget themselves. */
const thinkingOf = (model: string): Fields =>
  /^cl-(opus-4-7|[a-z]+-5-)/.test(model) ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: 1_024 };

/** Only one vendor bills prompts that are written to a cache. */
const cacheMark = (random: SeededRandom, model: string): Fields =>
  model.startsWith('cl-') ? maybe(random, 'cache_control', { type: 'ephemeral', ttl: random.pick(['5m', '1h']) }) : {};

type Draw = (random: SeededRandom, model: string) => Fields;

const contents = (random: SeededRandom) => [{ role: 'user', parts: [{ text: prompt(random) }] }];

const drawResponse: Draw = (random, model) => ({
  model,
  input: prompt(random),
  store: false,
  ...maybe(random, 'max_output_tokens', cap(random)),
  ...maybe(random, 'stream', true),
  // The only effort that every model takes: the responses of OpenAI's models pass unchanged.
  ...maybe(random, 'reasoning', { effort: 'high' }),
});

const RESPONSES = '/v1/responses';
/** A turn of a socket. */
const TURN = 'turn';

/** By the path of the endpoint, as `GET /v1/models` names it. */
const BODIES: Readonly<Record<string, Draw>> = {
  '/v1/chat/completions': (random, model) => ({
    model,
    messages: [
      ...(random.chance(0.3) ? [{ role: 'system', content: text(random) }] : []),
      {
        role: 'user',
        content: [
          { type: 'text', text: prompt(random), ...cacheMark(random, model) },
          ...(random.chance(0.2) ? [IMAGE] : []),
        ],
      },
    ],
    ...maybe(random, 'max_completion_tokens', cap(random)),
    ...maybe(random, 'stream', true),
    ...maybe(random, 'reasoning_effort', effort(random)),
  }),
  [RESPONSES]: drawResponse,
  '/v1/responses/compact': (random, model) => ({ model, input: prompt(random) }),
  '/v1/messages': (random, model) => ({
    model,
    max_tokens: 2_000 + cap(random),
    messages: [{ role: 'user', content: prompt(random) }],
    ...maybe(random, 'stream', true),
    ...maybe(random, 'thinking', thinkingOf(model)),
    ...(random.chance(0.3) && { tools: [{ ...SEARCH, max_uses: random.whole(1, 4) }] }),
  }),
  '/v1/completions': (random, model) => ({
    model,
    prompt: random.chance(0.3) ? [prompt(random), text(random)] : prompt(random),
    ...maybe(random, 'max_tokens', cap(random)),
  }),
  '/v1beta/models/{model}:generateContent': (random, model) => ({
    model,
    contents: contents(random),
    ...maybe(random, 'generationConfig', { maxOutputTokens: cap(random) }),
  }),
  '/v1beta/models/{model}:streamGenerateContent': (random, model) => ({ model, contents: contents(random) }),
  '/v1beta/models/{model}:embedContent': (random, model) => ({ model, content: { parts: [{ text: text(random) }] } }),
  '/v1beta/models/{model}:batchEmbedContents': (random, model) => ({
    model,
    requests: Array.from({ length: random.whole(1, 12) }, () => ({
      model: `models/${model}`,
      content: { parts: [{ text: text(random, 400) }] },
    })),
  }),
  '/v1/embeddings': (random, model) => ({
    model,
    input: random.chance(0.5) ? text(random) : Array.from({ length: random.whole(1, 12) }, () => text(random, 400)),
  }),
  '/v1/rerank': (random, model) => ({
    model,
    query: text(random, 100),
    documents: Array.from({ length: random.whole(1, 12) }, () => text(random, 400)),
  }),
  '/v1/audio/speech': (random, model) => ({ model, voice: 'Cherry', input: text(random, 500) }),
  '/v1/images/generations': (random, model) => ({
    model,
    ...(model.startsWith('qn-image-edit')
      ? { input: { messages: [{ role: 'user', content: [{ image: REFERENCE }, { text: text(random, 100) }] }] } }
      : { prompt: text(random, 100) }),
    ...maybe(random, 'n', random.whole(1, 2)),
    ...maybe(random, 'size', random.pick(['1024x1024', '1536x1024', '2048x2048'])),
    ...maybe(random, 'quality', random.pick(['low', 'high'])),
  }),
  '/v1/videos/generations': (random, model) => {
    const {
      unit: _,
      more,
      ...request
    } = random.pick(familyRequests(text(random, 40)).filter((row) => row.model.replace(/^wan/, 'wn') === model));
    return { ...request, ...more, ...(random.chance(0.3) && { duration: random.whole(1, 16) }) };
  },
};

const asJson = (path: string, quoted: Fields): BillableRequest => {
  const isGoogle = path.includes('{model}');
  const { model, ...rest } = quoted;
  return {
    endpoint: path,
    path: path.replace('{model}', String(model)),
    quoted,
    send: async () => ({ body: isGoogle ? rest : quoted }),
  };
};

const asForm = (path: string, quoted: Fields, file: readonly [name: string, type: string, bytes: Buffer]) => {
  const [name, type, bytes] = file;
  const send = () => {
    const form = new FormData();
    for (const [field, value] of Object.entries(quoted)) if (field !== name) form.append(field, String(value));
    form.append(name, new Blob([new Uint8Array(bytes)], { type }), `a.${type.replace(/.*\//, '')}`);
    return encodedForm(form);
  };
  return { endpoint: path, path, quoted, send };
};

function drawEdit(path: string, random: SeededRandom, model: string): BillableRequest {
  // One model takes squares only.
  const side = random.whole(300, 900);
  const bytes = createPng({ width: side, height: side });
  const quoted = { model, prompt: text(random, 60), image: 1, ...maybe(random, 'n', random.whole(1, 2)) };
  return asForm(path, quoted, ['image', 'image/png', bytes]);
}

function drawTranscription(path: string, random: SeededRandom, model: string): BillableRequest {
  const head = Buffer.from(WAV_HEAD, 'hex');
  // A quote takes the recording in its body, which the account address keeps short.
  const bytes = Buffer.concat([head, Buffer.alloc(random.whole(2_000, 24_000), 0x80)]);
  const quoted = { model, file: bytes.toString('base64'), ...maybe(random, 'prompt', text(random, 60)) };
  return asForm(path, quoted, ['file', 'audio/wav', bytes]);
}

/** A turn of a socket is a streamed response. */
function drawTurn(random: SeededRandom, model: string): BillableRequest {
  const { stream: _, ...turn } = drawResponse(random, model);
  return { ...asJson(RESPONSES, { ...turn, stream: true }), turn };
}

const EMBED = '/v1beta/models/{model}:embedContent';
const GENERATE = '/v1beta/models/{model}:generateContent';
const TAKES_AUDIO = /^(gm-|qn3\.8-omni)/;

/** The list of models names the endpoints that rights of keys name. These serve the same models. */
function endpointsOf({ id, endpoints }: ModelEntry): readonly string[] {
  const isChat = endpoints.includes('/v1/chat/completions');
  return [
    ...endpoints,
    ...(isChat ? ['/v1/completions'] : []),
    ...(isChat && TAKES_AUDIO.test(id) ? ['/v1/audio/transcriptions'] : []),
    ...(endpoints.includes(GENERATE) ? ['/v1beta/models/{model}:streamGenerateContent'] : []),
    ...(endpoints.includes(EMBED) ? ['/v1beta/models/{model}:batchEmbedContents'] : []),
    ...(endpoints.includes(RESPONSES) ? ['/v1/responses/compact', TURN] : []),
  ];
}

/** A random request of a model at each of its endpoints. Throws for an endpoint that no draw knows. */
export function drawBillable(random: SeededRandom, entry: ModelEntry): readonly BillableRequest[] {
  return endpointsOf(entry).map((path) => {
    if (path === '/v1/images/edits') return drawEdit(path, random, entry.id);
    if (path === '/v1/audio/transcriptions') return drawTranscription(path, random, entry.id);
    if (path === TURN) return drawTurn(random, entry.id);
    const draw = BODIES[path];
    if (draw === undefined) throw new Error(`no draw for ${path}`);
    return asJson(path, draw(random, entry.id));
  });
}
