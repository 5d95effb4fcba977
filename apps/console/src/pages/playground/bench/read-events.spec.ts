import { expect, it } from '@jest/globals';
import { readEvents } from './read-events.js';

const EVENTS = ': waiting\n\ndata: {"text":"Grüße, 世界 😀"}\n\nevent: end\ndata: {"n":2}\n\ndata: [DONE]\n\n';

/** The same bytes in pieces of every size: a piece may end within a character. */
const inPieces = (size: number): Response => {
  const bytes = new TextEncoder().encode(EVENTS);
  return new Response(
    new ReadableStream({
      start(controller) {
        for (let from = 0; from < bytes.length; from += size) controller.enqueue(bytes.slice(from, from + size));
        controller.close();
      },
    }),
  );
};

it('reads the same events however the stream is cut', async () => {
  for (const size of [1, 2, 3, 7, 1_000]) {
    const read: unknown[] = [];
    await readEvents(inPieces(size), (data) => read.push(data));
    expect(read).toEqual([{ text: 'Grüße, 世界 😀' }, { n: 2 }]);
  }
});
