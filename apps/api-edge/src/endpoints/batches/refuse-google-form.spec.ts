import { describe, expect, it } from '@jest/globals';
import { refuseGoogleForm } from './refuse-google-form.js';

describe("batches for Google's client", () => {
  it('are refused, because it would read an empty list', () => {
    const headers = { 'x-goog-api-key': 'sk-a' };
    expect(() => refuseGoogleForm({ url: '/v1/batches', headers })).toThrow("Batches are served in OpenAI's form");
  });

  it('are served to any other client', () => {
    expect(() => refuseGoogleForm({ url: '/v1/batches', headers: { authorization: 'Bearer sk-a' } })).not.toThrow();
  });
});
