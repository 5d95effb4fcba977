import { MAX_RESPONSE_BYTES, STATE_FORMS, StreamedResponseReader } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { WholeResponseReader } from './response-object-reader.js';

const event = (type: string, more: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const RESPONSE = { id: 'resp_a', status: 'completed', output: [{ text: 'a\n\nb response.failed "é"' }] };
const STREAM = [
  ': keep-alive\n\n',
  event('response.created', { response: { id: 'resp_a', output: [] } }),
  event('response.output_text.delta', { delta: 'response.completed' }),
  event('response.completed', { sequence_number: 3, response: RESPONSE }),
].join('');

describe('a streamed response', () => {
  it('is found in its last event, however the bytes are cut', () => {
    const bytes = Buffer.from(STREAM);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = new StreamedResponseReader();
      const [first, second] = [reader.add(bytes.subarray(0, cut)), reader.add(bytes.subarray(cut))];
      expect([first, second]).toEqual([cut === bytes.length, true]);
      expect(JSON.parse(String(reader.response))).toEqual(RESPONSE);
    }
  });

  it('is found in the last event of an interaction', () => {
    const interaction = { id: 'int_a', steps: [] };
    const data = (type: string): string =>
      `event: ${type}\ndata: ${JSON.stringify({ event_type: type, event_id: '1', interaction })}\n\n`;
    const reader = new StreamedResponseReader(STATE_FORMS.interactions.events);
    expect(reader.add(Buffer.from(data('interaction.created')))).toBe(false);
    expect(reader.add(Buffer.from(`${data('interaction.completed')}event: done\ndata: [DONE]\n\n`))).toBe(true);
    expect(JSON.parse(String(reader.response))).toEqual(interaction);
  });

  it('is found byte by byte, in memory that is used again', () => {
    const reader = new StreamedResponseReader();
    const memory = Buffer.alloc(1);
    for (const byte of Buffer.from(STREAM)) {
      memory[0] = byte;
      reader.add(memory);
    }
    expect(JSON.parse(String(reader.response))).toEqual(RESPONSE);
  });

  it.each(['response.incomplete', 'response.failed'])('may end with %s', (type) => {
    const reader = new StreamedResponseReader();
    expect(reader.add(Buffer.from(event(type, { response: RESPONSE })))).toBe(true);
    expect(JSON.parse(String(reader.response))).toEqual(RESPONSE);
  });

  it('is absent from a stream that breaks off', () => {
    const reader = new StreamedResponseReader();
    expect(reader.add(Buffer.from(STREAM.slice(0, -1)))).toBe(false);
    expect(reader.response).toBeUndefined();
  });

  it('is not mistaken for a text that names an event', () => {
    const reader = new StreamedResponseReader();
    expect(reader.add(Buffer.from(event('response.output_text.done', { text: 'response.completed' })))).toBe(false);
  });

  it('is not kept beyond its limit', () => {
    const reader = new StreamedResponseReader();
    reader.add(Buffer.from('event: response.completed\ndata: {"type":"response.completed","response":{"a":"'));
    for (let bytes = 0; bytes <= MAX_RESPONSE_BYTES; bytes += 1024 * 1024) reader.add(Buffer.alloc(1024 * 1024, 'x'));
    expect(reader.add(Buffer.from('"}}\n\n'))).toBe(false);
    expect(reader.response).toBeUndefined();
  });
});

describe('a whole response', () => {
  it('is its body, complete at its length', () => {
    const reader = new WholeResponseReader(4);
    expect([reader.add(Buffer.from('{"')), reader.add(Buffer.from('a}'))]).toEqual([false, true]);
    expect(String(reader.response)).toBe('{"a}');
  });
});
