import {
  type AbortContract,
  CHAT_PROTOCOL_IDS,
  type ChatProtocolId,
  ENDPOINTS,
  type Endpoint,
  type ImageProtocolId,
  type VideoProtocolId,
} from '@gateway/contracts';
import { createPng, encodedForm, type RawRequest } from '@gateway/testing';
import { familyRequests } from '../videos/video-families.js';

/** How the response reaches its client: as events, as audio, as the messages of a socket, or at once. */
export type ResponseForm = 'events' | 'audio' | 'socket' | 'whole';

type Content = Pick<RawRequest, 'body' | 'headers'>;

/** A request that clients leave. */
export interface LeavingRequest {
  readonly name: string;
  readonly contract: AbortContract;
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly form: ResponseForm;
  /** The number of chunks with text, of pieces of audio, or of images. After each one a client leaves. */
  readonly chunks: number;
  /** The vendor sends images, which no directive divides. */
  readonly sendsImages?: true;
  /** Bytes of each piece of audio, after the head of the file. */
  readonly audioChunkBytes?: number;
  /** What is sold, where the vendor bills other units. */
  readonly soldUnits?: Readonly<Record<string, number>>;
  /** `directives` go into the prompt, for the simulator. */
  content(directives: string): Content | Promise<Content>;
}

const CHUNKS = 4;
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** One pixel that is longer than a megabyte: its request is read and written in a thread. */
const LONG_PIXEL = `data:image/png;base64,${Buffer.concat([
  Buffer.from(PIXEL.slice(PIXEL.indexOf(',') + 1), 'base64'),
  Buffer.alloc(1024 * 1024),
]).toString('base64')}`;
const PDF = 'data:application/pdf;base64,JVBERi0xLjQKJSVFT0YK';
/** Half a second of silence: 8,000 samples of one byte in each second. */
const WAV = Buffer.concat([
  Buffer.from('524946462400000057415645666d74201000000001000100401f0000401f00000100080064617461401f0000', 'hex'),
  Buffer.alloc(4_000, 0x80),
]);

const quartersOf = (character: string): number => (/[\djqz]/.test(character) ? 4 : /[a-z ]/.test(character) ? 1 : 2);

/** With as many tokens for all directives, since the simulator counts them as text. */
const prompt = (directives: string): string => {
  const quarters = [...directives].reduce((sum, character) => sum + quartersOf(character), 0);
  return `{{sim ${directives}${' '.repeat(320 - quarters)}}} Leave me`;
};

/** A model of each chat protocol, and what its streams of text without options do when they are left. */
const CHAT_MODELS = {
  'openai-chat': { model: 'gp-5.4-mini', contract: 'stops' },
  'openai-responses': { model: 'gp-5.4-pro', contract: 'completes' },
  'anthropic-messages': { model: 'cl-sonnet-4-6', contract: 'stops' },
  'gemini-generate': { model: 'gm-2.5-flash', contract: 'completes' },
  'dashscope-chat': { model: 'qn3.8-omni-flash', contract: 'stops' },
} as const satisfies Record<ChatProtocolId, { readonly model: string; readonly contract: AbortContract }>;

type ChatModel = (typeof CHAT_MODELS)[ChatProtocolId]['model'] | 'gm-2.5-pro';

/** Its reasoning is shown, and would be among the chunks. */
const SHOWS_REASONING: ChatModel = 'qn3.8-omni-flash';
/** Its vendor is asked for the whole response, which a stream then has in one chunk. */
const NEVER_STREAMS: ChatModel = 'gp-5.4-pro';

interface Options {
  readonly directives?: string;
  readonly more?: object;
  readonly parts?: readonly object[];
}

type BodyOf = (text: string, model: string, isStream: boolean, options: Options) => object;

/** The body of each JSON endpoint of chat models. */
const BODIES = {
  'chat.completions': (text, model, isStream, { more, parts = [] }) => ({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text }, ...parts] }],
    max_completion_tokens: 30_000,
    stream: isStream,
    ...more,
  }),
  completions: (text, model, isStream, { more }) => ({
    model,
    prompt: text,
    max_tokens: 8_000,
    stream: isStream,
    ...more,
  }),
  messages: (text, model, isStream, { more }) => ({
    model,
    messages: [{ role: 'user', content: text }],
    max_tokens: 20_000,
    stream: isStream,
    ...more,
  }),
  responses: (text, model, isStream, { more }) => ({
    model,
    input: text,
    max_output_tokens: 20_000,
    ...(isStream && { stream: true }),
    ...more,
  }),
  'responses.compact': (text, model, _isStream, { more }) => ({ model, input: text, ...more }),
  'models.generate_content': (text, _model, _isStream, { more }) => ({
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: { maxOutputTokens: 20_000, ...more },
  }),
  'models.stream_generate_content': (text, _model, _isStream, { more }) => ({
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: { maxOutputTokens: 20_000, ...more },
  }),
  interactions: (text, model, isStream, { more }) => ({
    model,
    input: text,
    generation_config: { max_output_tokens: 20_000, ...more },
    ...(isStream && { stream: true }),
  }),
} as const satisfies Partial<Record<Endpoint, BodyOf>>;

type ChatEndpoint = keyof typeof BODIES;

const chatRequest = (
  name: string,
  contract: AbortContract,
  endpoint: ChatEndpoint,
  model: ChatModel,
  { form = 'events', ...options }: Options & { readonly form?: ResponseForm } = {},
): LeavingRequest => {
  const own = model === SHOWS_REASONING ? 'reasoning_tokens=0 ' : '';
  return {
    name,
    contract,
    endpoint,
    model,
    form,
    chunks: model === NEVER_STREAMS && endpoint !== 'responses' ? 1 : CHUNKS,
    content: (given) => ({
      body: BODIES[endpoint](prompt(`${own}${options.directives ?? ''} ${given}`), model, form !== 'whole', options),
    }),
  };
};

const chat = (name: string, contract: AbortContract, model: ChatModel, options?: Options): LeavingRequest =>
  chatRequest(name, contract, 'chat.completions', model, options);

const messages = (name: string, contract: AbortContract, model: ChatModel, options: Options): LeavingRequest =>
  chatRequest(`messages: ${name}`, contract, 'messages', model, options);

/** What has more tokens than its bytes divided by four. */
const DENSE = {
  digits: '8'.repeat(400),
  hex: 'f4a9'.repeat(100),
  emoji: '🦊'.repeat(100),
  ideographs: '漢'.repeat(200),
};

const dense = (script: keyof typeof DENSE, model: ChatModel): LeavingRequest =>
  chat(`${model}, ${script} in and out`, 'stops', model, {
    directives: `script=${script} chunk_bytes=64`,
    parts: [{ type: 'text', text: DENSE[script] }],
  });

const STREAMED_ENDPOINTS = [
  'chat.completions',
  'completions',
  'messages',
  'responses',
  'models.stream_generate_content',
  'interactions',
] as const satisfies readonly ChatEndpoint[];

/** A stream of text of each chat protocol at one endpoint. */
const plainStreams = (endpoint: ChatEndpoint, form: 'events' | 'socket' = 'events'): readonly LeavingRequest[] =>
  CHAT_PROTOCOL_IDS.map((protocol) => {
    const { model, contract } = CHAT_MODELS[protocol];
    const name = `${form === 'socket' ? 'a socket of ' : ''}${endpoint} over ${protocol}`;
    return chatRequest(name, contract, endpoint, model, { form });
  });

const SPOKEN = 'The ferry leaves at nine, and it does not wait. ';
const SPOKEN_BYTES = SPOKEN.trim().length * 2_880;

/** With as many characters for all directives, since the vendor bills them. */
const speech = (model: string): LeavingRequest => ({
  name: `speech of ${model}`,
  contract: 'stops',
  endpoint: 'audio.speech',
  model,
  form: 'audio',
  chunks: CHUNKS,
  audioChunkBytes: Math.floor(SPOKEN_BYTES / CHUNKS),
  content: (given) => ({
    body: { model, voice: 'Cherry', response_format: 'wav', input: `{{sim ${given.padEnd(120)}}} ${SPOKEN}` },
  }),
});

const formContent = (fields: Readonly<Record<string, string | Blob>>): Promise<Content> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, `a.${value.type.replace(/.*\//, '')}`);
  }
  return encodedForm(form);
};

const transcription = (model: string, form: 'events' | 'whole'): LeavingRequest => ({
  name: `${form} of a transcription of ${model}`,
  contract: 'completes',
  endpoint: 'audio.transcriptions',
  model,
  form,
  chunks: CHUNKS,
  content: (given) =>
    formContent({
      model,
      file: new Blob([new Uint8Array(WAV)], { type: 'audio/wav' }),
      prompt: prompt(`reasoning_tokens=0 ${given}`),
      ...(form === 'events' && { stream: 'true' }),
    }),
});

const images = (contract: AbortContract, model: string, chunks: number, more: object): LeavingRequest => ({
  name: `images of ${model}`,
  contract,
  endpoint: 'images.generations',
  model,
  form: 'events',
  chunks,
  sendsImages: true,
  content: (given) => ({ body: { model, prompt: prompt(given), stream: true, ...more } }),
});

const editStream = (model: string, partials: number): LeavingRequest => ({
  name: `an edit by ${model}`,
  contract: 'completes',
  endpoint: 'images.edits',
  model,
  form: 'events',
  chunks: partials,
  sendsImages: true,
  content: (given) => formContent({ ...editFields(model, given), stream: 'true', partial_images: String(partials) }),
});

const editFields = (model: string, given: string) => ({
  model,
  prompt: prompt(given),
  image: new Blob([new Uint8Array(createPng({ width: 512, height: 512 }))], { type: 'image/png' }),
});

const VIDEO = { type: 'video_url', video_url: { url: 'https://example.com/film.mp4' } };
const SEARCH = { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] };
const WEATHER = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } };

/** One or more of each protocol and of each reason for its contract. */
export const STREAMS: readonly LeavingRequest[] = [
  ...STREAMED_ENDPOINTS.flatMap((endpoint) => plainStreams(endpoint)),
  ...plainStreams('responses', 'socket'),
  chat('OpenAI, hidden reasoning', 'completes', 'gp-5.4-mini', {
    directives: 'reasoning_tokens=20000',
    more: { reasoning_effort: 'high' },
  }),
  chat('OpenAI, reasoning and tools', 'completes', 'gp-5.4-mini', {
    directives: 'reasoning_tokens=2000',
    more: { reasoning_effort: 'high', tools: [WEATHER], tool_choice: 'none' },
  }),
  chat('OpenAI, PDF', 'completes', 'gp-5.4-mini', {
    directives: 'prompt_tokens=150000',
    parts: [{ type: 'file', file: { filename: 'a.pdf', file_data: PDF } }],
  }),
  chat('Anthropic over chat, cached text and an inline image', 'stops', 'cl-sonnet-4-6', {
    directives: 'prompt_tokens=3000 cached_tokens=1000',
    parts: [{ type: 'image_url', image_url: { url: PIXEL } }],
  }),
  ...(
    [
      ['OpenAI', 'completes', 'gp-5.4-mini', { directives: 'prompt_tokens=3000' }],
      ['Anthropic over chat', 'stops', 'cl-sonnet-4-6', { directives: 'prompt_tokens=3000' }],
      ['Gemini with thinking', 'completes', 'gm-2.5-flash', { directives: 'prompt_tokens=3000 reasoning_tokens=3000' }],
    ] as const
  ).map(([name, contract, model, more]) =>
    chat(`${name}, above a megabyte`, contract, model, {
      ...more,
      parts: [{ type: 'image_url', image_url: { url: LONG_PIXEL } }],
    }),
  ),
  chat('Gemini without thinking', 'stops', 'gm-2.5-flash', { more: { reasoning_effort: 'none' } }),
  chat('Gemini with thinking', 'completes', 'gm-2.5-flash', { directives: 'reasoning_tokens=3000' }),
  dense('digits', 'qn3.8-omni-flash'),
  dense('hex', 'gp-5.4-mini'),
  dense('emoji', 'cl-sonnet-4-6'),
  dense('ideographs', 'qn3.8-omni-flash'),
  chat('Qwen, a video by URL', 'completes', 'qn3.8-omni-flash', {
    directives: 'prompt_tokens=100000',
    parts: [VIDEO],
  }),
  messages('native, a longer prompt', 'stops', 'cl-sonnet-4-6', { directives: 'prompt_tokens=3000' }),
  messages('native, omitted thinking', 'completes', 'cl-sonnet-4-6', {
    directives: 'reasoning_tokens=5000',
    more: { thinking: { type: 'adaptive', display: 'omitted' } },
  }),
  messages('native, five searches', 'completes', 'cl-sonnet-4-6', { directives: 'searches=5', more: SEARCH }),
  messages('translated, hidden reasoning', 'completes', 'gp-5.4-mini', {
    directives: 'reasoning_tokens=2000',
    more: { thinking: { type: 'enabled', budget_tokens: 4_000 } },
  }),
  ...(['events', 'socket'] as const).map((form) =>
    chatRequest(`responses as ${form}, hidden reasoning`, 'completes', 'responses', 'gp-5.4-mini', {
      form,
      more: { reasoning: { effort: 'high' } },
    }),
  ),
  chatRequest('generateContent without thinking', 'stops', 'models.stream_generate_content', 'gm-2.5-flash', {
    more: { thinkingConfig: { thinkingBudget: 0 } },
  }),
  chatRequest('generateContent with thinking', 'completes', 'models.stream_generate_content', 'gm-2.5-flash', {
    directives: 'reasoning_tokens=3000',
    more: { thinkingConfig: { thinkingBudget: 4_000 } },
  }),
  speech('qn3-tts-flash'),
  ...['gm-3.5-flash-lite', 'qn3.8-omni-flash'].map((model) => transcription(model, 'events')),
  images('completes', 'gp-image-2', 3, { partial_images: 3, size: '1024x1536', quality: 'high' }),
  editStream('gp-image-2', 3),
  images('stops', 'seedream-4.0', 3, {
    sequential_image_generation: 'auto',
    sequential_image_generation_options: { max_images: 3 },
  }),
];

/** A call without a stream: its contract is `completes`. */
const whole = (endpoint: Endpoint, model: string, content: LeavingRequest['content']): LeavingRequest => ({
  name: `${endpoint} of ${model}`,
  contract: 'completes',
  endpoint,
  model,
  form: 'whole',
  chunks: 0,
  content,
});

const WHOLE_ENDPOINTS = [
  'chat.completions',
  'completions',
  'messages',
  'responses',
  'responses.compact',
  'models.generate_content',
  'interactions',
] as const satisfies readonly ChatEndpoint[];

const plainWholes = (endpoint: ChatEndpoint): readonly LeavingRequest[] =>
  CHAT_PROTOCOL_IDS.map((protocol) =>
    chatRequest(`${endpoint} over ${protocol}`, 'completes', endpoint, CHAT_MODELS[protocol].model, { form: 'whole' }),
  );

const EMBEDDING_MODELS = ['text-embedding-v4', 'gm-embedding-2-preview', 'vg-4'];
const contentOf = (text: string) => ({ parts: [{ text }] });

/** Of each protocol, by a body of OpenAI's images endpoint. */
const IMAGE_MODELS = {
  'ark-images': 'seedream-4.0',
  'dashscope-image': 'qn-image-2.0',
  'gemini-interactions': 'gm-2.5-flash-image',
  'openai-images': 'gp-image-2',
  'xai-images': 'grok-imagine-image',
} as const satisfies Record<ImageProtocolId, string>;

const edit = (model: string): LeavingRequest =>
  whole('images.edits', model, (given) => formContent(editFields(model, given)));

const VIDEO_MODELS = {
  'ark-video': 'seedance-1.0-pro',
  'dashscope-video': 'wn2.5-t2v-preview',
  'xai-video': 'grok-imagine-video',
} as const satisfies Record<VideoProtocolId, string>;

const familyOf = (model: string, text: string) => {
  const family = familyRequests(text).find((request) => request.model === model);
  if (family === undefined) throw new Error(`no request of ${model}`);
  return family;
};

const video = (model: string): LeavingRequest => {
  const { unit, duration } = familyOf(model, '');
  return {
    ...whole('videos.generations', model, (given) => {
      const { unit: _, more, ...body } = familyOf(model, prompt(`task_seconds=1 ${given}`));
      return { body: { ...body, ...more } };
    }),
    // One vendor bills tokens of videos.
    soldUnits: { [unit]: duration },
  };
};

/** Requests without a stream. */
export const WHOLES: readonly LeavingRequest[] = [
  ...WHOLE_ENDPOINTS.flatMap(plainWholes),
  chatRequest('hidden reasoning', 'completes', 'chat.completions', 'gp-5.4-pro', {
    form: 'whole',
    directives: 'reasoning_tokens=1000',
  }),
  chatRequest('a prompt of 900,000 tokens', 'completes', 'chat.completions', 'gm-2.5-pro', {
    form: 'whole',
    directives: 'prompt_tokens=900000',
  }),
  chatRequest('a request above a megabyte', 'completes', 'chat.completions', 'cl-sonnet-4-6', {
    form: 'whole',
    parts: [{ type: 'image_url', image_url: { url: LONG_PIXEL } }],
  }),
  ...['gm-3.5-flash-lite', 'qn3.8-omni-flash'].map((model) => transcription(model, 'whole')),
  ...EMBEDDING_MODELS.flatMap((model) => [
    whole('embeddings', model, (given) => ({ body: { model, input: prompt(given) } })),
    whole('models.embed_content', model, (given) => ({ body: { content: contentOf(prompt(given)) } })),
    whole('models.batch_embed_contents', model, (given) => ({
      body: { requests: [{ model: `models/${model}`, content: contentOf(prompt(given)) }] },
    })),
  ]),
  whole('rerank', 'vg-rerank-2.5', (given) => ({
    body: { model: 'vg-rerank-2.5', query: prompt(given), documents: ['a ferry', 'a train'] },
  })),
  ...Object.values(IMAGE_MODELS).map((model) =>
    whole('images.generations', model, (given) => ({ body: { model, prompt: prompt(given) } })),
  ),
  ...Object.values(IMAGE_MODELS).map(edit),
  ...Object.values(VIDEO_MODELS).map(video),
];

/** The path, which may name the model. Google's streams are events on request only. */
export const pathOf = ({ endpoint, model }: LeavingRequest): string => {
  const path = ENDPOINTS[endpoint].path.replace('{model}', model);
  return endpoint === 'models.stream_generate_content' ? `${path}?alt=sse` : path;
};
