import { describe, expect, it } from '@jest/globals';
import { refuseMessagesForm } from './refuse-messages-form.js';

describe('files for a client of the native messages format', () => {
  it('are refused with what to send instead', () => {
    const refusal = () => refuseMessagesForm({ headers: { 'anthropic-version': '2023-06-01' } });
    expect(refusal).toThrow("Files are served in OpenAI's form only");
    expect(refusal).toThrow("the source {type: 'base64', media_type, data}");
  });

  it('are served to any other client', () => {
    expect(() => refuseMessagesForm({ headers: {} })).not.toThrow();
  });
});
