import { createPng } from '@gateway/testing';
import { CITY, weatherTool } from '../support/samples.js';

/** One request, sent as a tool call and over HTTP: both must cost the same. */
export interface McpCall {
  readonly what: string;
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** The body of the HTTP request; `given` by default. */
  readonly body?: object;
  /** Arguments that make it a different request. */
  readonly another: McpCall['given'];
  /** The type of the tool's first content block. */
  readonly content: 'text' | 'image' | 'audio' | 'resource_link';
}

const messagesOf = (text: string) => [{ role: 'user', content: text }];
const image = createPng({ width: 64, height: 64, hasAlpha: true });

const form = (fields: Readonly<Record<string, string>>): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  made.append('image', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'image.png');
  return made;
};

const generate = (
  what: string,
  given: McpCall['given'],
  body: object,
  content: McpCall['content'] = 'image',
): McpCall => ({
  what,
  tool: 'generate_image',
  given,
  path: '/v1/images/generations',
  another: { prompt: 'Another lighthouse' },
  body,
  content,
});

const qwen = { messages: [{ role: 'user', content: [{ text: 'A lighthouse' }] }] };
const edit = { model: 'gp-image-2', prompt: 'Make it night', quality: 'low' };

export const MCP_CALLS: readonly McpCall[] = [
  {
    what: 'chat',
    tool: 'chat',
    given: { model: 'gm-2.5-flash', messages: messagesOf('Say hello') },
    another: { temperature: 1 },
    path: '/v1/chat/completions',
    content: 'text',
  },
  {
    what: 'chat with a model that reasons',
    tool: 'chat',
    given: { model: 'gp-5-pro', messages: messagesOf('Say hello'), max_completion_tokens: 2_000 },
    another: { max_completion_tokens: 1_999 },
    path: '/v1/chat/completions',
    content: 'text',
  },
  {
    what: 'chat that calls a tool',
    tool: 'chat',
    given: {
      model: 'cl-sonnet-4-6',
      max_tokens: 200,
      messages: messagesOf(`Use the tool for ${CITY}`),
      tools: [weatherTool],
    },
    another: { max_tokens: 100 },
    path: '/v1/chat/completions',
    content: 'text',
  },
  {
    what: 'message',
    tool: 'message',
    given: { model: 'cl-sonnet-4-6', max_tokens: 200, messages: messagesOf('Say hello') },
    path: '/v1/messages',
    another: { max_tokens: 100 },
    content: 'text',
  },
  {
    what: 'message to a model of another format',
    tool: 'message',
    given: { model: 'gm-2.5-pro', max_tokens: 400, messages: messagesOf('Say hello') },
    path: '/v1/messages',
    another: { max_tokens: 100 },
    content: 'text',
  },
  generate(
    'an image of the GP family',
    { model: 'gp-image-2', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' },
    { model: 'gp-image-2', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' },
  ),
  generate(
    'an image of the Qwen-style family',
    { model: 'qn-image-2.0', prompt: 'A lighthouse' },
    { model: 'qn-image-2.0', input: qwen },
    'resource_link',
  ),
  generate(
    'an image of the interaction family',
    { model: 'gm-2.5-flash-image', prompt: 'A lighthouse' },
    { model: 'gm-2.5-flash-image', input: 'A lighthouse' },
  ),
  generate(
    'an image of the Seedream type',
    { model: 'seedream-4.5', prompt: 'A lighthouse', size: '2K' },
    { model: 'seedream-4.5', prompt: 'A lighthouse', size: '2K', response_format: 'b64_json' },
  ),
  generate(
    'images of the Grok type',
    { model: 'grok-imagine-image-2.0', prompt: 'A lighthouse', n: 2, size: '1k' },
    { model: 'grok-imagine-image-2.0', prompt: 'A lighthouse', n: 2, resolution: '1k', response_format: 'b64_json' },
  ),
  {
    what: 'an edited image',
    tool: 'edit_image',
    given: { ...edit, images: [image.toString('base64')] },
    path: '/v1/images/edits',
    another: { prompt: 'Make it day' },
    body: form(edit),
    content: 'image',
  },
  {
    what: 'speech',
    tool: 'speak',
    given: { model: 'qn3-tts-flash', input: 'Good morning' },
    path: '/v1/audio/speech',
    another: { input: 'Good night' },
    content: 'audio',
  },
  {
    what: 'vectors',
    tool: 'embed',
    given: { model: 'vg-4-lite', input: ['one', 'two'] },
    path: '/v1/embeddings',
    another: { input: 'three' },
    content: 'text',
  },
];
