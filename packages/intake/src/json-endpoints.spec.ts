import { type CatalogueModel, MODELS } from '@gateway/catalogue';
import { accessEndpointOf, ENDPOINTS, type Endpoint } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { isJsonEndpoint, JSON_ENDPOINTS, type JsonEndpoint, type JsonEndpointRow } from './json-endpoints.js';
import { worstCaseOf } from './worst-case-of.js';

const rows = Object.entries(JSON_ENDPOINTS) as [JsonEndpoint, JsonEndpointRow][];
const message = { role: 'user', content: 'Hello' };
const content = { parts: [{ text: 'Hello' }] };

/** A small valid body for each endpoint. */
const BODIES: Readonly<Record<JsonEndpoint, object>> = {
  'chat.completions': { messages: [message] },
  responses: { input: 'Hello' },
  completions: { prompt: 'Hello' },
  messages: { messages: [message], max_tokens: 5 },
  'responses.input_tokens': { input: 'Hi' },
  'responses.compact': { input: 'Hi' },
  'messages.count_tokens': { messages: [message] },
  'models.generate_content': { contents: [content] },
  'models.stream_generate_content': { contents: [content] },
  'models.count_tokens': { contents: [content] },
  interactions: { input: 'Hello' },
  'models.embed_content': { content },
  'models.batch_embed_contents': { requests: [{ content }] },
  embeddings: { input: 'Hello' },
  rerank: { query: 'Hello', documents: ['Hello'] },
  'audio.speech': { input: 'Hello', voice: 'Cherry' },
  'audio.transcriptions': { file: Buffer.from('ID3 and then frames').toString('base64') },
  'images.generations': { prompt: 'A house' },
};

const servedOn = (endpoint: JsonEndpoint): readonly CatalogueModel[] =>
  (MODELS as readonly CatalogueModel[]).filter(({ endpoints }) => endpoints.includes(accessEndpointOf(endpoint)));

/** `images.generations` has one body per family, so its sample fits one family only. Few chat models take audio. */
function modelOf(endpoint: JsonEndpoint): CatalogueModel {
  const found = servedOn(endpoint).find(
    ({ imageGeneration, chat }) =>
      (endpoint !== 'images.generations' || imageGeneration?.protocol === 'openai-images') &&
      (endpoint !== 'audio.transcriptions' || chat?.traits.inputs.includes('audio') === true),
  );
  if (found === undefined) throw new Error(`no model on ${endpoint}`);
  return found;
}

describe('the table of JSON endpoints', () => {
  it.each(rows)('%s validates a body, and worstCaseOf uses the same computation', (endpoint, row) => {
    const model = modelOf(endpoint);
    const body = { model: model.id, ...BODIES[endpoint] };
    const { worstCase, isStream } = row.validate(body, model);
    expect(isStream).toBe(endpoint === 'models.stream_generate_content');
    expect(worstCaseOf(endpoint, body, model)).toMatchObject({ worstCase });
    expect(Object.keys(worstCase.units).length > 0).toBe(row.isFree !== true);
  });

  it.each(rows)('%s rejects a body without its fields, naming one of them', (endpoint, row) => {
    const model = modelOf(endpoint);
    expect(() => row.validate({ model: model.id }, model)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { param: expect.any(String) } }),
    );
  });

  it.each(rows)(
    '%s requires a capability that all of its models have',
    (endpoint, { capability, otherCapability = capability }) => {
      const served = servedOn(endpoint);
      expect(served.length).toBeGreaterThan(0);
      expect(served.filter((model) => (model[capability] ?? model[otherCapability]) === undefined)).toEqual([]);
    },
  );

  it('reads a stream from the body', () => {
    const model = modelOf('chat.completions');
    const body = { model: model.id, messages: [message], stream: true };
    expect(JSON_ENDPOINTS['chat.completions'].validate(body, model).isStream).toBe(true);
  });

  it('has all endpoints but edits of images and videos', () => {
    const others = (Object.keys(ENDPOINTS) as Endpoint[]).filter((endpoint) => !isJsonEndpoint(endpoint));
    expect(others).toEqual(['images.edits', 'videos.generations']);
  });

  it('counts tokens for nothing, for every key that may send messages', () => {
    expect(JSON_ENDPOINTS['messages.count_tokens']).toMatchObject({ isFree: true });
    expect(accessEndpointOf('messages.count_tokens')).toBe('messages');
  });
});
