import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SseDecoder } from './sse-decoder.js';
import type { SseEvent } from './sse-event.js';

const plain = ({ name, data }: SseEvent): [string, string | undefined] => [name, data?.toString('utf8')];

function decode(chunks: readonly (string | Uint8Array)[]): [string, string | undefined][] {
  const decoder = new SseDecoder();
  const events = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)).map(plain));
  const rest = decoder.flush();
  return rest === undefined ? events : [...events, plain(rest)];
}

describe('SseDecoder', () => {
  it('reads names, several data lines, fields without a colon and comments', () => {
    expect(decode([': hello\n\nevent: x\nid: 7\ndata: a\ndata\ndata:  b\nretry: 5\n\n'])).toEqual([
      ['', undefined],
      ['x', 'a\n\n b'],
    ]);
  });

  it('takes LF, CR and CRLF, also where a CRLF is cut', () => {
    expect(decode(['data: a\r', '\n\r', '\ndata: b\r\r', 'data: c\n\n'])).toEqual([
      ['', 'a'],
      ['', 'b'],
      ['', 'c'],
    ]);
  });

  it('gives an event as soon as its blank line is there, even if that line may still become a CRLF', () => {
    expect(new SseDecoder().push(Buffer.from('data: a\r\r')).map(plain)).toEqual([['', 'a']]);
  });

  it('keeps characters whole that are cut between chunks', () => {
    const bytes = Buffer.from('data: Grüße 👋\n\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(decode([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([['', 'Grüße 👋']]);
    }
  });

  it('skips a byte order mark at the very beginning', () => {
    expect(decode([Buffer.from([0xef, 0xbb]), Buffer.from([0xbf]), 'data: a\n\n'])).toEqual([['', 'a']]);
  });

  it('gives what is left at the end without a blank line, and nothing for a stream that is empty', () => {
    expect(decode(['data: a\n\ndata: b'])).toEqual([
      ['', 'a'],
      ['', 'b'],
    ]);
    expect(decode(['data: a\n'])).toEqual([['', 'a']]);
    expect(decode(['\n\n\n'])).toEqual([]);
  });

  it('gives views of the chunk, not copies, for events that arrive whole', () => {
    const chunk = Buffer.from('data: a\n\ndata: b\n\n');
    for (const event of new SseDecoder().push(chunk)) expect(event.raw.buffer).toBe(chunk.buffer);
  });

  it('refuses an event that is longer than the limit', () => {
    const decoder = new SseDecoder(1_000);
    decoder.push(Buffer.from('data: '));
    expect(() => {
      for (let count = 0; count < 200; count += 1) decoder.push(Buffer.from('xxxxxxxxxx'));
    }).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });

  it('gives the same events wherever the bytes are cut', () => {
    const event = fc.tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '\r')).map(([text, end]) => {
      return `data: ${text.replace(/[\r\n]/g, ' ')}${end}${end}`;
    });
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat()), (events, numbers) => {
        const bytes = Buffer.from(events.join(''));
        const cuts = numbers.map((number) => number % (bytes.length + 1)).sort((left, right) => left - right);
        const chunks = [0, ...cuts].map((cut, index) => bytes.subarray(cut, cuts[index] ?? bytes.length));
        expect(decode(chunks)).toEqual(decode([bytes]));
      }),
    );
  });
});
