import { describe, expect, it } from '@jest/globals';
import { renameImages, renameStreamedImages } from './image-addresses.js';

const rename = (address: string): string => `ours:${address.length}`;
const inResponse = (text: string): string => renameImages(Buffer.from(text), rename).toString();
const inEvents = (text: string): string => renameStreamedImages(Buffer.from(text), rename).toString();

describe('renameImages', () => {
  it("replaces the addresses of OpenAI's list, and keeps the bytes of every other member", () => {
    const text = '{ "seed": 12345678901234567890,"data": [{"url":"https:\\/\\/a.example\\/1?x=1\\u0026y=2","n":1}] }';
    expect(inResponse(text)).toBe('{ "seed": 12345678901234567890,"data": [{"url":"ours:27","n":1}] }');
  });

  it("replaces the addresses of DashScope's messages", () => {
    const text =
      '{"output":{"choices":[{"message":{"role":"assistant","content":[{"image":"http://a/1"},{"text":"x"}]}}]}}';
    expect(inResponse(text)).toBe(
      '{"output":{"choices":[{"message":{"role":"assistant","content":[{"image":"ours:10"},{"text":"x"}]}}]}}',
    );
  });

  it.each([
    '{"data":[{"b64_json":"aGk="}]}',
    '{"data":[{"url":"data:image/png;base64,aGk="},null,7]}',
    '{"data":{"url":"https://a/1"},"output":[1]}',
    '{"output":{"choices":null},"url":"https://a/1"}',
  ])('returns the same buffer for a response without an address: %s', (text) => {
    const body = Buffer.from(text);
    expect(renameImages(body, rename)).toBe(body);
  });
});

describe('renameStreamedImages', () => {
  it('replaces the address of each event', () => {
    const other = 'event: b\ndata: {"type":"b","usage":{"n":1}}\n\ndata: [DONE]\n\n';
    const event = (url: string): string => `event: a\ndata: {"type":"a","url":"${url}"}\n\n`;
    expect(inEvents(event('https://a/1') + other)).toBe(event('ours:11') + other);
    const without = Buffer.from(other);
    expect(renameStreamedImages(without, rename)).toBe(without);
  });
});
