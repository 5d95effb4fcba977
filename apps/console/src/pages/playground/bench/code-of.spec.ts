import { describe, expect, it } from '@jest/globals';
import type { ApiRequest } from './api-request.js';
import { codeOf } from './code-of.js';

const request = (path: string): ApiRequest => ({ method: 'POST', path, answer: 'json' }) as ApiRequest;
const MODELS = [{ id: 'one' }, { id: 'two' }];

describe('the code of a page', () => {
  it('is what the form would send', () => {
    const columns = { one: [{ request: request('/v1/sent') }] };
    expect(codeOf(MODELS, [request('/v1/a'), request('/v1/b')], columns)).toEqual({
      requests: [
        { request: request('/v1/a'), model: 'one' },
        { request: request('/v1/b'), model: 'two' },
      ],
      isSent: false,
    });
  });

  it('is what was sent last while the form is empty', () => {
    const columns = { one: [{ request: request('/v1/first') }, { request: request('/v1/last') }] };
    expect(codeOf(MODELS, [], columns)).toEqual({
      requests: [{ request: request('/v1/last'), model: 'one' }],
      isSent: true,
    });
  });

  it('is nothing before the first request', () => {
    expect(codeOf(MODELS, [], {})).toBeNull();
  });
});
