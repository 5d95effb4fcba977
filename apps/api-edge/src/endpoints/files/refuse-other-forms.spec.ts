import { describe, expect, it } from '@jest/globals';
import { refuseOtherForms } from './refuse-other-forms.js';

const refusalFor =
  (headers: Record<string, string>, url = '/v1/files') =>
  () =>
    refuseOtherForms({ url, headers });

describe('files for a client of another format', () => {
  it('are refused to clients of the native messages format with what to send instead', () => {
    const refusal = refusalFor({ 'anthropic-version': '2023-06-01' });
    expect(refusal).toThrow("Files are served in OpenAI's form only");
    expect(refusal).toThrow("the source {type: 'base64', media_type, data}");
  });

  it("are refused to Google's clients, which would read an empty list", () => {
    expect(refusalFor({ 'x-goog-api-key': 'sk-a' })).toThrow(
      'Send the bytes in a part: {inlineData: {mimeType, data}}',
    );
  });

  it('are served to any other client', () => {
    expect(refusalFor({})).not.toThrow();
    expect(refusalFor({ authorization: 'Bearer sk-a', 'x-goog-api-key': 'sk-a' })).not.toThrow();
  });
});
