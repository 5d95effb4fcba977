import { readFileSync, writeFileSync } from 'node:fs';
import { findModel } from '@gateway/catalogue';
import { describe, expect, it } from '@jest/globals';
import { JSON_ENDPOINTS, type JsonEndpoint } from '../json-endpoints.js';
import { renderContracts } from './render-contracts.js';

const DOCUMENT = new URL('../../../../docs/abort-contracts.md', import.meta.url);

function contractOf(endpoint: JsonEndpoint, id: string, fields: object): string {
  const model = findModel(id);
  if (model === undefined) throw new Error(id);
  return JSON_ENDPOINTS[endpoint].validate({ model: id, ...fields }, model).abortContract;
}

const user = (...content: object[]) => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, ...content] }],
});
const chat = (id: string, fields: object = {}) =>
  contractOf('chat.completions', id, { ...user(), stream: true, ...fields });
const messages = (id: string, fields: object = {}) =>
  contractOf('messages', id, { ...user(), max_tokens: 20_000, stream: true, ...fields });

const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const imageUrl = (url: string) => user({ type: 'image_url', image_url: { url } });
const image = (source: object) => user({ type: 'image', source });

describe('the abort contract of a chat stream', () => {
  it.each([
    ['gp-5.4-mini', {}, 'stops'],
    ['gp-5.4-mini', { reasoning_effort: 'none' }, 'stops'],
    ['gp-5.4-mini', { reasoning_effort: 'low' }, 'completes'],
    ['gm-2.5-pro', {}, 'completes'],
    ['gm-2.5-flash', {}, 'completes'],
    ['gm-2.5-flash', { reasoning_effort: 'none' }, 'stops'],
    ['cl-sonnet-4-6', {}, 'stops'],
    ['cl-sonnet-4-6', { reasoning_effort: 'low' }, 'completes'],
    ['qn3.8-omni-flash', { reasoning_effort: 'high' }, 'stops'],
  ])('%s with %j %s', (id, fields, contract) => expect(chat(id, fields)).toBe(contract));

  it.each([
    ['gp-5.4-mini', `data:image/png;base64,${PNG}`, 'completes'],
    ['cl-sonnet-4-6', `data:image/png;base64,${PNG}`, 'stops'],
    ['cl-sonnet-4-6', 'https://example.com/a.png', 'completes'],
    ['qn3.8-omni-flash', 'https://example.com/a.png', 'completes'],
  ])('%s with the image %s %s', (id, url, contract) => expect(chat(id, imageUrl(url))).toBe(contract));

  it.each([
    [{ type: 'input_audio', input_audio: { data: PNG } }, 'stops'],
    [{ type: 'input_audio', input_audio: { data: 'https://example.com/a.mp3' } }, 'completes'],
    [{ type: 'video', video: [`data:image/png;base64,${PNG}`, 'https://example.com/b.png'] }, 'completes'],
    [{ type: 'file', file: { file_data: 'https://example.com/a.pdf' } }, 'completes'],
    [{ type: 'file', file: { file_data: `data:application/pdf;base64,${PNG}` } }, 'stops'],
  ])('knows whether the upstream fetches %j', (part, contract) =>
    expect(chat('gm-2.5-flash', { ...user(part), reasoning_effort: 'none' })).toBe(contract),
  );
});

describe('the abort contract of a messages stream', () => {
  it.each([
    ['cl-sonnet-4-6', {}, 'stops'],
    ['cl-sonnet-4-6', { thinking: { type: 'disabled' } }, 'stops'],
    ['cl-sonnet-4-6', { thinking: { type: 'adaptive', display: 'omitted' } }, 'completes'],
    [
      'cl-sonnet-4-6',
      {
        tools: [
          { name: 'f', input_schema: {} },
          { type: 'bash_20250124', name: 'bash' },
        ],
      },
      'stops',
    ],
    ['cl-sonnet-4-6', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'completes'],
    ['gm-2.5-flash', {}, 'completes'],
    ['gm-2.5-flash', { thinking: { type: 'disabled' } }, 'stops'],
    ['gm-2.5-pro', { thinking: { type: 'disabled' } }, 'completes'],
    ['gp-5.4-mini', { output_config: { effort: 'low' } }, 'completes'],
  ])('%s with %j %s', (id, fields, contract) => expect(messages(id, fields)).toBe(contract));

  it('looks for media in tool results and documents', () => {
    const inline = { type: 'base64', media_type: 'image/png', data: PNG };
    const nested = (source: object) => ({
      messages: [
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] }] },
      ],
    });
    expect(messages('cl-sonnet-4-6', image(inline))).toBe('stops');
    expect(messages('cl-sonnet-4-6', nested(inline))).toBe('stops');
    expect(messages('cl-sonnet-4-6', nested({ type: 'url', url: 'https://example.com/a.png' }))).toBe('completes');
    expect(messages('cl-sonnet-4-6', user({ type: 'document', source: { type: 'text', data: 'x' } }))).toBe('stops');
    expect(
      messages('cl-sonnet-4-6', user({ type: 'document', source: { type: 'url', url: 'https://a.example/b.pdf' } })),
    ).toBe('completes');
  });
});

describe('the abort contract of other requests', () => {
  it.each([
    ['chat.completions', 'cl-sonnet-4-6', user(), 'completes'],
    ['messages', 'cl-sonnet-4-6', { ...user(), max_tokens: 5 }, 'completes'],
    ['embeddings', 'text-embedding-v4', { input: 'x' }, 'completes'],
    ['audio.speech', 'qn3-tts-flash', { input: 'x' }, 'stops'],
    ['images.generations', 'gp-image-1', { prompt: 'x', stream: true, partial_images: 2 }, 'completes'],
  ] as const)('%s of %s', (endpoint, id, fields, contract) => expect(contractOf(endpoint, id, fields)).toBe(contract));

  it.each(['cl-sonnet-4-6', 'gm-2.5-pro', 'gp-5.4-mini'])('documents the server tools of %s', (id) => {
    expect(renderContracts()).toMatch(new RegExp(`^\\| ${id} \\|.*\\| completes \\|$`, 'm'));
  });

  it('are documented for each model (regenerate with UPDATE_GOLDEN=1 and review the diff)', () => {
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(DOCUMENT, renderContracts());
    expect(renderContracts()).toBe(readFileSync(DOCUMENT, 'utf8'));
  });
});
