import { describe, expect, it } from '@jest/globals';
import { requestParts } from './parts.js';
import { fields } from './pass-through/fields.js';

const OWN_FILES = [
  'https://generativelanguage.googleapis.com/v1beta/files/a',
  'HTTPS://GenerativeLanguage.googleapis.com/v1beta/files/a',
  'https://generativelanguage.googleapis.com:443/v1beta/files/a',
  'https://a@generativelanguage.googleapis.com/v1beta/files/a',
];
const PUBLIC = 'https://example.com/generativelanguage.googleapis.com/a.mp4';
const native = fields.fields['contents[].parts[].fileData.fileUri'];

const part = (url: string) => ({
  type: 'media' as const,
  media: 'video' as const,
  source: { kind: 'url' as const, url },
  clientType: 'video_url',
  path: 'messages[0].content[0]',
});

describe('an address of a file', () => {
  it.each(OWN_FILES)('of the account that customers share is refused: %s', (url) => {
    expect(() => requestParts(part(url))).toThrow(
      expect.objectContaining({ code: 'unsupported_value', details: { param: 'messages[0].content[0]' } }),
    );
    const frames = { ...part(url), source: { kind: 'frames' as const, urls: [PUBLIC, url] } };
    expect(() => requestParts(frames)).toThrow('public URL');
    expect(native).toMatchObject({ kind: 'refused' });
    expect(native?.exceptLike?.test(url)).toBe(false);
  });

  it('of another host is sent', () => {
    expect(requestParts(part(PUBLIC))).toEqual([{ fileData: { mimeType: 'video/mp4', fileUri: PUBLIC } }]);
    expect(native?.exceptLike?.test(PUBLIC)).toBe(true);
  });
});
