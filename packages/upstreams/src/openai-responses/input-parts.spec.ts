import type { MediaSource } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import { chatPart } from '../openai-compatible-chat/chat-media.js';
import { inputPart } from './input-parts.js';

const PATH = 'contents[0].parts[0]';
const ADDRESS: MediaSource = { kind: 'url', url: 'https://example.com/a.pdf' };
const STORED: MediaSource = { kind: 'id', id: 'file-1' };

const fileOf = (source: MediaSource) =>
  ({ type: 'media', media: 'file', source, filename: 'a.pdf', clientType: 'fileData', path: PATH }) as const;

it('sends the address of a file as its address, not as its content', () => {
  expect(inputPart(fileOf(ADDRESS))).toEqual({ type: 'input_file', file_url: 'https://example.com/a.pdf' });
});

it('sends the content of a file with its name', () => {
  const part = { ...fileOf({ kind: 'base64', data: 'AAAA' }), mediaType: 'application/pdf' };
  const data = 'data:application/pdf;base64,AAAA';
  expect(inputPart(part)).toEqual({ type: 'input_file', file_data: data, filename: 'a.pdf' });
  expect(chatPart(part)).toEqual({ type: 'file', file: { file_data: data, filename: 'a.pdf' } });
});

it.each([
  ['Responses, for a file of the vendor’s account', () => inputPart(fileOf(STORED))],
  ['chat completions, for a file of the vendor’s account', () => chatPart(fileOf(STORED))],
  ['chat completions, for the address of a file', () => chatPart(fileOf(ADDRESS))],
])('rejects what it cannot send to %s, and names the part', (_to, encode) => {
  expect(encode).toThrow(expect.objectContaining({ code: 'unsupported_value', details: { param: PATH } }));
});
