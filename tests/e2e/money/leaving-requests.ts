import type { AbortContract } from '@gateway/contracts';

/** A request that clients leave at every point. `chunks` counts its text chunks, or its images. */
export interface LeavingRequest {
  readonly name: string;
  readonly contract: AbortContract;
  readonly model: string;
  readonly path: string;
  readonly chunks: number;
  /** `directives` go into the prompt, for the simulator. */
  body(directives: string): object;
}

const CHUNKS = 4;
const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const IMAGES = '/v1/images/generations';
const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** One pixel that is longer than a megabyte: its request is read and written in a thread. */
const LONG_PIXEL = `data:image/png;base64,${Buffer.concat([
  Buffer.from(PIXEL.slice(PIXEL.indexOf(',') + 1), 'base64'),
  Buffer.alloc(1024 * 1024),
]).toString('base64')}`;
const PDF = 'data:application/pdf;base64,JVBERi0xLjQKJSVFT0YK';

const quartersOf = (character: string): number => (/[\djqz]/.test(character) ? 4 : /[a-z ]/.test(character) ? 1 : 2);

/** With as many tokens for all directives, since the simulator counts them as text. */
const prompt = (directives: string): string => {
  const quarters = [...directives].reduce((sum, character) => sum + quartersOf(character), 0);
  return `{{sim ${directives}${' '.repeat(240 - quarters)}}} Leave me`;
};

const chat = (
  name: string,
  contract: AbortContract,
  model: string,
  { directives = '', more = {}, parts = [] }: { directives?: string; more?: object; parts?: readonly object[] } = {},
): LeavingRequest => ({
  name,
  contract,
  model,
  path: CHAT,
  chunks: CHUNKS,
  body: (given) => ({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: prompt(`${directives} ${given}`) }, ...parts] }],
    max_completion_tokens: 30_000,
    stream: true,
    ...more,
  }),
});

/** What has more tokens than its bytes divided by four. */
const DENSE = {
  digits: '8'.repeat(400),
  hex: 'f4a9'.repeat(100),
  emoji: '🦊'.repeat(100),
  ideographs: '漢'.repeat(200),
};

const dense = (script: keyof typeof DENSE, model: string, directives = ''): LeavingRequest =>
  chat(`${model}, ${script} in and out`, 'stops', model, {
    directives: `${directives} script=${script} chunk_bytes=64`,
    parts: [{ type: 'text', text: DENSE[script] }],
  });

const messages = (
  name: string,
  contract: AbortContract,
  model: string,
  directives: string,
  more: object,
): LeavingRequest => ({
  name,
  contract,
  model,
  path: MESSAGES,
  chunks: CHUNKS,
  body: (given) => ({
    model,
    messages: [{ role: 'user', content: prompt(`${directives} ${given}`) }],
    max_tokens: 20_000,
    stream: true,
    ...more,
  }),
});

const responses = (name: string, contract: AbortContract, model: string, more: object = {}): LeavingRequest => ({
  name: `Responses: ${name}`,
  contract,
  model,
  path: '/v1/responses',
  chunks: CHUNKS,
  body: (given) => ({ model, input: prompt(given), max_output_tokens: 20_000, stream: true, ...more }),
});

const generate = (name: string, contract: AbortContract, model: string, thinkingBudget: number): LeavingRequest => ({
  name: `generateContent: ${name}`,
  contract,
  model,
  path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
  chunks: CHUNKS,
  body: (given) => ({
    contents: [
      { role: 'user', parts: [{ text: prompt(thinkingBudget === 0 ? given : `reasoning_tokens=3000 ${given}`) }] },
    ],
    generationConfig: { maxOutputTokens: 20_000, thinkingConfig: { thinkingBudget } },
  }),
});

const completions = (model: string): LeavingRequest => ({
  name: `completions of ${model}`,
  contract: 'stops',
  model,
  path: '/v1/completions',
  chunks: CHUNKS,
  body: (given) => ({ model, prompt: prompt(given), max_tokens: 2_000, stream: true }),
});

const images = (contract: AbortContract, model: string, chunks: number, more: object): LeavingRequest => ({
  name: `images of ${model}`,
  contract,
  model,
  path: IMAGES,
  chunks,
  body: (given) => ({ model, prompt: prompt(given), stream: true, ...more }),
});

const VIDEO = { type: 'video_url', video_url: { url: 'https://example.com/film.mp4' } };
const SEARCH = { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }] };

/** One or more of each protocol and of each reason for its contract. */
export const STREAMS: readonly LeavingRequest[] = [
  chat('OpenAI, text', 'stops', 'gp-5.4-mini'),
  chat('OpenAI, hidden reasoning', 'completes', 'gp-5.4-mini', {
    directives: 'reasoning_tokens=20000',
    more: { reasoning_effort: 'high' },
  }),
  chat('OpenAI, PDF', 'completes', 'gp-5.4-mini', {
    directives: 'prompt_tokens=150000',
    parts: [{ type: 'file', file: { filename: 'a.pdf', file_data: PDF } }],
  }),
  chat('Anthropic over chat, text and an inline image', 'stops', 'cl-sonnet-4-6', {
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
  chat('Qwen, shown reasoning', 'stops', 'qn3.8-omni-flash', { directives: 'reasoning_tokens=0' }),
  dense('digits', 'qn3.8-omni-flash', 'reasoning_tokens=0'),
  dense('hex', 'gp-5.4-mini'),
  dense('emoji', 'cl-sonnet-4-6'),
  dense('ideographs', 'qn3.8-omni-flash', 'reasoning_tokens=0'),
  chat('Qwen, a video by URL', 'completes', 'qn3.8-omni-flash', {
    directives: 'prompt_tokens=100000 reasoning_tokens=0',
    parts: [VIDEO],
  }),
  messages('native, text', 'stops', 'cl-sonnet-4-6', 'prompt_tokens=3000', {}),
  messages('native, omitted thinking', 'completes', 'cl-sonnet-4-6', 'reasoning_tokens=5000', {
    thinking: { type: 'adaptive', display: 'omitted' },
  }),
  messages('native, five searches', 'completes', 'cl-sonnet-4-6', 'searches=5', SEARCH),
  messages('translated, hidden reasoning', 'completes', 'gp-5.4-mini', 'reasoning_tokens=2000', {
    thinking: { type: 'enabled', budget_tokens: 4_000 },
  }),
  messages('translated to Qwen', 'stops', 'qn3.8-omni-flash', 'reasoning_tokens=0', {}),
  responses('passed on, text', 'stops', 'gp-5.4-mini'),
  responses('passed on, hidden reasoning', 'completes', 'gp-5.4-mini', { reasoning: { effort: 'high' } }),
  responses('translated to Anthropic', 'stops', 'cl-sonnet-4-6'),
  responses('translated to Gemini', 'completes', 'gm-2.5-flash'),
  generate('passed on without thinking', 'stops', 'gm-2.5-flash', 0),
  generate('passed on with thinking', 'completes', 'gm-2.5-flash', 4_000),
  generate('translated to Anthropic', 'stops', 'cl-sonnet-4-6', 0),
  completions('gp-5.4-mini'),
  images('completes', 'gp-image-2', 3, { partial_images: 3, size: '1024x1536', quality: 'high' }),
  images('stops', 'seedream-4.0', 3, {
    sequential_image_generation: 'auto',
    sequential_image_generation_options: { max_images: 3 },
  }),
];

/** Requests without a stream. */
export const WHOLES: readonly Omit<LeavingRequest, 'chunks' | 'contract'>[] = [
  chat('OpenAI Responses', 'completes', 'gp-5.4-pro', { directives: 'reasoning_tokens=1000', more: { stream: false } }),
  chat('a prompt of 900,000 tokens', 'completes', 'gm-2.5-pro', {
    directives: 'prompt_tokens=900000',
    more: { stream: false },
  }),
  messages('native', 'completes', 'cl-sonnet-4-6', '', { stream: false }),
  {
    name: 'embeddings',
    model: 'text-embedding-v4',
    path: '/v1/embeddings',
    body: (given) => ({ model: 'text-embedding-v4', input: prompt(given) }),
  },
  {
    name: 'an image',
    model: 'gp-image-2',
    path: IMAGES,
    body: (given) => ({ model: 'gp-image-2', prompt: prompt(given) }),
  },
];
