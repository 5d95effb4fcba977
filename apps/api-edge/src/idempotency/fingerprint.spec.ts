import { findModel } from '@gateway/catalogue';
import { encodeEditHead, type ForwardedRequest } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { type FingerprintedRequest, fingerprintOf } from './fingerprint.js';

const body = Buffer.from('{"model":"cl-sonnet-4-6"}');
const modelOf = (id: string): FingerprintedRequest['model'] => {
  const model = findModel(id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
};
const request = (more: Partial<FingerprintedRequest> = {}): FingerprintedRequest => ({
  endpoint: 'messages',
  model: modelOf('cl-sonnet-4-6'),
  body,
  ...more,
});
const forward = (headers: Record<string, string>, query = ''): ForwardedRequest => ({ headers, query });

/** A form as the edge encodes it: a head and the bytes of its files. */
function form(prompt: string, ...files: readonly string[]): FingerprintedRequest {
  const described = files.map((content) => ({
    field: 'image' as const,
    format: 'png' as const,
    width: 1,
    height: 1,
    bytes: content.length,
  }));
  const head = encodeEditHead({ request: { model: 'gp-image-2', prompt }, files: described });
  async function* read() {
    yield head;
    for (const content of files) yield Buffer.from(content);
  }
  return { endpoint: 'images.edits', model: modelOf('gp-image-2'), body: { bytes: 1, read } };
}

describe('a fingerprint', () => {
  it('is equal for equal requests, and 256 bits long', async () => {
    const first = await fingerprintOf(request());
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await fingerprintOf(request({ body: Buffer.from(body) }))).toBe(first);
  });

  it.each([
    ['the endpoint', { endpoint: 'chat.completions' as const }],
    ['one byte of the body', { body: Buffer.from('{"model":"cl-sonnet-4-6" }') }],
    ['the version of the protocol', { forward: forward({ 'anthropic-version': '2023-06-01' }) }],
    ['a beta', { forward: forward({ 'anthropic-beta': 'context-1m' }) }],
    ['the query', { forward: forward({}, '?beta=true') }],
  ])('differs with %s', async (_what, more) => {
    expect(await fingerprintOf(request(more))).not.toBe(await fingerprintOf(request()));
  });

  it('ignores session headers and the order of headers', async () => {
    const original = request({ forward: forward({ 'anthropic-version': '1', 'anthropic-beta': 'b' }) });
    const session = { 'anthropic-beta': 'b', 'x-claude-code-session-id': '2', 'anthropic-version': '1' };
    expect(await fingerprintOf(request({ forward: forward(session) }))).toBe(await fingerprintOf(original));
  });

  it('of a form covers its fields, its files and their boundaries', async () => {
    const forms = [
      form('x', 'ab', 'c'),
      form('y', 'ab', 'c'),
      form('x', 'a', 'bc'),
      form('x', 'c', 'ab'),
      form('x', 'ab'),
    ];
    const fingerprints = await Promise.all(forms.map(fingerprintOf));
    expect(new Set(fingerprints).size).toBe(forms.length);
    expect(await fingerprintOf(form('x', 'ab', 'c'))).toBe(fingerprints[0]);
  });
});
