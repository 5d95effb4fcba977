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

  it('accepts LF, CR and CRLF, even if a CRLF is cut', () => {
    expect(decode(['data: a\r', '\n\r', '\ndata: b\r\r', 'data: c\n\n'])).toEqual([
      ['', 'a'],
      ['', 'b'],
      ['', 'c'],
    ]);
  });

  it('returns an event at its blank line, even if a LF may still follow its CR', () => {
    expect(new SseDecoder().push(Buffer.from('data: a\r\r')).map(plain)).toEqual([['', 'a']]);
  });

  it('joins characters that are cut between chunks', () => {
    const bytes = Buffer.from('data: Grüße 👋\n\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(decode([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([['', 'Grüße 👋']]);
    }
  });

  it('skips a byte order mark at the start', () => {
    expect(decode([Buffer.from([0xef, 0xbb]), Buffer.from([0xbf]), 'data: a\n\n'])).toEqual([['', 'a']]);
  });

  it('flushes a last event without its blank line, and nothing for an empty stream', () => {
    expect(decode(['data: a\n\ndata: b'])).toEqual([
      ['', 'a'],
      ['', 'b'],
    ]);
    expect(decode(['data: a\n'])).toEqual([['', 'a']]);
    expect(decode(['\n\n\n'])).toEqual([]);
  });

  it('returns views, not copies, of events that arrive in one chunk', () => {
    const chunk = Buffer.from('data: a\n\ndata: b\n\n');
    for (const event of new SseDecoder().push(chunk)) expect(event.raw.buffer).toBe(chunk.buffer);
  });

  it('rejects an event above the limit', () => {
    const decoder = new SseDecoder(1_000);
    decoder.push(Buffer.from('data: '));
    expect(() => {
      for (let count = 0; count < 200; count += 1) decoder.push(Buffer.from('xxxxxxxxxx'));
    }).toThrow(expect.objectContaining({ code: 'upstream_error' }));
  });

  it('returns the same events for any cuts', () => {
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
