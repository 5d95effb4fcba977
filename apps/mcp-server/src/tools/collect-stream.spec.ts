import { describe, expect, it } from '@jest/globals';
import { FakeClient, rejecting, responseOf, toolContextOf } from '../test-support/fakes.js';
import type { JsonObject } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';
import { collectStream, type StreamAssembler } from './collect-stream.js';

/** Joins the `text` of each event; complete after an event with `end`. */
class TextAssembler implements StreamAssembler<string> {
  #text = '';
  #hasEnded = false;

  add({ text = '', end }: JsonObject): string {
    this.#text += String(text);
    this.#hasEnded ||= end === true;
    return String(text);
  }

  result(): string | undefined {
    return this.#hasEnded ? this.#text : undefined;
  }
}

const event = (fields: object): string => `data: ${JSON.stringify(fields)}\n\n`;

function collect(gateway: FakeClient, progress?: (done: number, message: string) => Promise<void>) {
  return collectStream(toolContextOf({ gateway, progress }), '/v1/stream', { model: 'm' }, new TextAssembler());
}

const streaming = (...chunks: readonly string[]): FakeClient => new FakeClient(() => responseOf(chunks));

describe('collectStream', () => {
  it('requests the cost and returns the complete response with it', async () => {
    const gateway = streaming(
      event({ text: 'Hel' }) + event({ text: 'lo' }).slice(0, 9),
      event({ text: 'lo' }).slice(9),
      event({ end: true }),
      'data: [DONE]\n\n: cost cost_usd=0.002 balance_usd=9.998\n\n',
    );
    expect(await collect(gateway)).toEqual({
      response: 'Hello',
      facts: { request_id: 'req_gateway', cost_usd: '0.002', balance_usd: '9.998' },
    });
    expect(gateway.requests).toEqual([
      { method: 'POST', path: '/v1/stream', json: { model: 'm' }, headers: { 'x-include-cost': 'true' } },
    ]);
  });

  it('reports the number of characters and the new text, and nothing for events without text', async () => {
    const reports: [number, string][] = [];
    const gateway = streaming(event({ text: 'Hel' }), event({}), event({ text: 'lo' }), event({ end: true }));
    await collect(gateway, async (done, message) => void reports.push([done, message]));
    expect(reports).toEqual([
      [3, 'Hel'],
      [5, 'lo'],
    ]);
  });

  it('reads any line ends, comments, a byte order mark and a last event without its blank line', async () => {
    const gateway = streaming('\ufeff: ping\r\n\r\ndata: {"text":\r', '\ndata: "é"}\r\n\r\n', 'data:{"end":true}');
    expect((await collect(gateway)).response).toBe('é');
  });

  it('joins characters that are cut between chunks', async () => {
    const bytes = Buffer.from(event({ text: 'Grüße 👋' }) + event({ end: true }));
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const response = {
        ...responseOf({}),
        body: (async function* () {
          yield bytes.subarray(0, cut);
          yield bytes.subarray(cut);
        })(),
      };
      expect((await collect(new FakeClient(() => response))).response).toBe('Grüße 👋');
    }
  });

  it('throws the error event of a stream, once, after the text before it', async () => {
    const reports: string[] = [];
    const error = { message: 'It broke.', code: 'upstream_error' };
    const gateway = streaming(event({ text: 'Hal' }), event({ error }));
    await expect(collect(gateway, async (_, message) => void reports.push(message))).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'It broke.',
      details: { requestId: 'req_gateway' },
    });
    expect(reports).toEqual(['Hal']);
    expect(gateway.requests).toHaveLength(1);
  });

  it('throws for a stream that ends before the response is complete, without a retry', async () => {
    const gateway = streaming(event({ text: 'Hal' }));
    await expect(collect(gateway)).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The stream ended before the response was complete.',
      details: { requestId: 'req_gateway' },
    });
    expect(gateway.requests).toHaveLength(1);
  });

  it('rejects with the failure of the gateway', async () => {
    const refused = new ToolFailure('insufficient_balance', 'Top up.', { status: 402 });
    await expect(collect(rejecting(refused))).rejects.toBe(refused);
  });
});
