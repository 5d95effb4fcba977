import { describe, expect, it } from '@jest/globals';
import { sendWhole } from './send-whole.js';

const PART = 256 * 1024;
const BODY = Buffer.from(Array.from({ length: 3 * PART + 7 }, (_, at) => at % 251));

/** A client that reads one part each time that it is let. */
function slowClient() {
  const parts: Buffer[] = [];
  let gate: PromiseWithResolvers<void> | undefined;
  return {
    parts,
    read: () => gate?.resolve(),
    data: (bytes: Uint8Array): void => void parts.push(Buffer.from(bytes)),
    ready: (): Promise<void> => {
      gate = Promise.withResolvers<void>();
      return gate.promise;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('sendWhole', () => {
  it('writes the next part only once the client reads again', async () => {
    const client = slowClient();
    const sending = sendWhole(BODY, client, new AbortController().signal);
    for (const count of [0, 1, 2, 3]) {
      await turn();
      expect(client.parts).toHaveLength(count);
      client.read();
    }
    await sending;
    expect(client.parts.map(({ length }) => length)).toEqual([PART, PART, PART, 7]);
    expect(Buffer.concat(client.parts).equals(BODY)).toBe(true);
  });

  it('writes a short body at once', async () => {
    const client = slowClient();
    await sendWhole(BODY.subarray(0, PART), client, new AbortController().signal);
    expect(client.parts.map(({ length }) => length)).toEqual([PART]);
  });

  it('writes the rest at once when it is aborted: the response is paid', async () => {
    const client = slowClient();
    const abort = new AbortController();
    const sending = sendWhole(BODY, client, abort.signal);
    await turn();
    client.read();
    await turn();
    abort.abort();
    await sending;
    expect(Buffer.concat(client.parts).equals(BODY)).toBe(true);
  });
});
