import { describe, expect, it } from '@jest/globals';
import { EventFilter } from './event-filter.js';

const event = (number: number): string =>
  `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":${number},"delta":"\\n\\n ä"}\n\n`;
const stream = Buffer.from([0, 1, 2, 3, 4].map(event).join(''));

function passed(after: number, cut: number): string {
  const filter = new EventFilter(after);
  return Buffer.concat([filter.pass(stream.subarray(0, cut)), filter.pass(stream.subarray(cut))]).toString();
}

describe('events after a number', () => {
  it.each([-1, 0, 2, 3])('are those that follow %i, however the bytes are cut', (after) => {
    const expected = [0, 1, 2, 3, 4]
      .filter((number) => number > after)
      .map(event)
      .join('');
    for (let cut = 0; cut <= stream.length; cut += 1) expect(passed(after, cut)).toBe(expected);
  });

  it.each([4, 99])('are none after %i', (after) => {
    expect(passed(after, 100)).toBe('');
  });

  it('are numbered by the ids of interactions too', () => {
    const step = (id: number): string =>
      `event: step.stop\ndata: {"event_type":"step.stop","event_id":"${id}","index":0}\n\n`;
    const filter = new EventFilter(2);
    expect(filter.pass(Buffer.from([1, 2, 3].map(step).join(''))).toString()).toBe(step(3));
  });

  it('are whole: one that the stream cuts off does not pass', () => {
    const filter = new EventFilter(-1);
    expect(filter.pass(stream.subarray(0, stream.length - 1)).toString()).toBe([0, 1, 2, 3].map(event).join(''));
    expect(filter.seen.lastSequenceNumber).toBe(3);
  });
});
