import { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { renderErrorEvent } from '../errors/send-error.js';
import { SentEvents } from './sent-events.js';

const event = (type: string, fields: object): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
const broken = new GatewayError('upstream_error', 'It broke off.');
const render = (sent: SentEvents | undefined) => {
  const text = renderErrorEvent(broken, { dialect: 'responses', requestId: 'req_abc', model: 'gp-5.4-mini', sent });
  const [name, data, ...rest] = text.split('\n');
  expect([name, rest]).toEqual(['event: response.failed', ['', '']]);
  return JSON.parse(String(data?.slice('data: '.length)));
};

describe('a stream of the Responses protocol that breaks off', () => {
  it('ends with a failed response: of its id, numbered after its last event', () => {
    const sent = new SentEvents();
    const response = { id: 'resp_abc', object: 'response', created_at: 1_795_169_100, status: 'in_progress' };
    sent.add(
      event('response.created', { sequence_number: 0, response: { ...response, instructions: 'x'.repeat(900) } }),
    );
    sent.add(
      Buffer.concat([
        event('response.output_text.delta', { sequence_number: 8, delta: '"sequence_number":77' }),
        event('response.output_text.delta', { sequence_number: 9, delta: 'b' }),
      ]),
    );
    expect(render(sent)).toMatchObject({
      type: 'response.failed',
      sequence_number: 10,
      response: {
        id: 'resp_abc',
        created_at: 1_795_169_100,
        status: 'failed',
        model: 'gp-5.4-mini',
        error: { code: 'server_error', message: 'It broke off.' },
      },
    });
  });

  it('ends so too if nothing is known of it', () => {
    expect(render(undefined)).toMatchObject({ sequence_number: 0, response: { id: 'resp_abc', status: 'failed' } });
    const sent = new SentEvents();
    sent.add(Buffer.from(': comment\n\n'));
    expect(render(sent).sequence_number).toBe(0);
  });
});
