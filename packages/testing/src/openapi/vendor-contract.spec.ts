import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { ObservedAnswer } from './contract.js';
import { VendorContract } from './vendor-contract.js';
import { DEVIATIONS, OTHER_ANSWERS } from './vendor-deviations.js';

const contract = new VendorContract();
const answer = (path: string, body: object | string, more: Partial<ObservedAnswer> = {}): ObservedAnswer => ({
  method: 'POST',
  path,
  status: 200,
  headers: { 'content-type': typeof body === 'string' ? 'text/event-stream' : 'application/json' },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
});
const embeddings = {
  object: 'list',
  model: 'text-embedding-3-small',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  usage: { prompt_tokens: 1, total_tokens: 1 },
};
const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [] };
const events = (...values: readonly object[]): string =>
  `${values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')}data: [DONE]\n\n`;

describe('VendorContract', () => {
  it('takes what the vendor publishes, with further fields', () => {
    expect(contract.faultOf(answer('/v1/embeddings?a=1', { ...embeddings, further: 1 }))).toBeUndefined();
    expect(contract.faultOf(answer('/v1/chat/completions', events(chunk, { ...chunk, further: 1 })))).toBeUndefined();
  });

  it('names what an answer lacks', () => {
    const { usage: _, ...lacking } = embeddings;
    expect(contract.faultOf(answer('/v1/embeddings', lacking))).toMatch(/^POST \/v1\/embeddings.*'usage'/);
    const { choices: __, ...broken } = chunk;
    expect(contract.faultOf(answer('/v1/chat/completions', events(chunk, broken)))).toMatch(/'choices'/);
  });

  it('takes the error that ends a broken chat, and judges the error events of the Responses protocol', () => {
    expect(
      contract.faultOf(answer('/v1/chat/completions', events(chunk, { error: { message: 'x' } }))),
    ).toBeUndefined();
    expect(contract.faultOf(answer('/v1/responses', events({ type: 'error', error: { message: 'x' } })))).toBeDefined();
  });

  it('does not judge refusals, or paths that the vendor does not have', () => {
    expect(contract.faultOf(answer('/v1/embeddings', {}, { status: 400 }))).toBeUndefined();
    expect(contract.faultOf(answer('/v1/messages', {}))).toBeUndefined();
  });

  it('holds files, batches, models and images', () => {
    const get = (path: string, body: object) => contract.faultOf(answer(path, body, { method: 'GET' }));
    const file = {
      id: 'f',
      object: 'file',
      bytes: 1,
      created_at: 1,
      filename: 'a',
      purpose: 'batch',
      status: 'processed',
    };
    expect(get('/v1/files/f', file)).toBeUndefined();
    expect(get('/v1/files/f', { ...file, bytes: '1' })).toMatch(/bytes/);
    expect(
      get('/v1/files', { object: 'list', data: [], first_id: null, last_id: null, has_more: false }),
    ).toBeUndefined();
    const ids = { id: 'b', object: 'batch', input_file_id: 'f', endpoint: '/v1/responses' };
    const batch = { ...ids, completion_window: '24h', created_at: 1, status: 'validating', errors: null };
    expect(contract.faultOf(answer('/v1/batches', batch))).toBeUndefined();
    expect(contract.faultOf(answer('/v1/batches', { ...batch, status: 'new' }))).toMatch(/status/);
    const model = { id: 'm', object: 'model', created: 1, owned_by: 'o' };
    expect(get('/v1/models/m', model)).toBeUndefined();
    expect(get('/v1/models', { object: 'list', data: [{ ...model, created: undefined }] })).toMatch(/created/);
    expect(contract.faultOf(answer('/v1/images/edits', { created: 1, data: [{ url: 1 }] }))).toMatch(/url/);
  });

  it('leaves out answers of other protocols on the same path', () => {
    const get = (path: string, body: object) => contract.faultOf(answer(path, body, { method: 'GET' }));
    expect(get('/v1/models', { models: [] })).toBeUndefined();
    expect(get('/v1/models', { data: [], first_id: null, last_id: null, has_more: false })).toBeUndefined();
    expect(contract.faultOf(answer('/v1/images/generations', { request_id: 'a', output: {} }))).toBeUndefined();
  });
});

describe('the deviations', () => {
  it("are those of the vendor's page, in its order", () => {
    const page = readFileSync(new URL('../../../../docs/vendors/openai.md', import.meta.url), 'utf8');
    const section = page.slice(page.indexOf('### Answers beside'), page.indexOf('## Not confirmed'));
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    const quoted = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
    expect(rows).toEqual([
      ...DEVIATIONS.map(({ schema, fields, why }) => `| \`${schema}\` | ${quoted(fields)} | ${why} |`),
      ...OTHER_ANSWERS.map(({ path, why }) => `| \`${path}\` | ${why} |`),
    ]);
  });
});
