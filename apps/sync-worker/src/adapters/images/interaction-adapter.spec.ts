import { GatewayError, type InteractionRequest } from '@gateway/contracts';
import type { UpstreamReply } from '@gateway/upstreams';
import { describe, expect, it } from '@jest/globals';
import type { ModelAdapter, UnaryAdapter } from '../../model-adapter.js';
import { usageOf } from '../../test-support/fakes.js';
import { continueInteraction } from './interaction-adapter.js';
import { InteractionIds } from './interaction-ids.js';

const ids = new InteractionIds(['s'.repeat(32)]);
const REFUSAL = { status: 400, contentType: 'application/json', body: 'cannot continue up_old' };

const replyOf = (upstreamId: string | undefined, body: object): UpstreamReply => ({
  body: Buffer.from(JSON.stringify(body)),
  usage: usageOf({}),
  upstreamId,
});

function continueFrom(previousId?: string) {
  const bound: InteractionRequest[] = [];
  const bind = (request: InteractionRequest): ModelAdapter => {
    bound.push(request);
    const error = new GatewayError('invalid_request', 'No.', { passThrough: REFUSAL });
    const adapter: Partial<UnaryAdapter> = {
      kind: 'unary',
      readFailure: () => ({ kind: 'request', error, retryAfterMs: undefined }),
    };
    return adapter as ModelAdapter;
  };
  const request: InteractionRequest = {
    model: 'm',
    input: 'Draw.',
    ...(previousId && { previous_interaction_id: previousId }),
  };
  const adapter = continueInteraction('acct_a', request, ids, bind) as UnaryAdapter;
  const finish = (reply: UpstreamReply): Record<string, string> =>
    JSON.parse(Buffer.from(adapter.finishReply?.(reply, 'gemini-2').body ?? []).toString());
  return { adapter, bound, finish };
}

describe('a first interaction', () => {
  it('may run on any channel and returns a public id that names the channel', () => {
    const { adapter, finish } = continueFrom();
    expect(adapter.requiredChannel).toBeUndefined();
    const { id = '', text } = finish(replyOf('up_new', { id: 'up_new', text: 'not "up_new" in a sentence' }));
    expect(ids.open(id, 'acct_a')).toEqual({ channelId: 'gemini-2', upstreamId: 'up_new' });
    expect(text).toBe('not "up_new" in a sentence');
  });

  it('without an upstream id is returned unchanged', () => {
    expect(continueFrom().finish(replyOf(undefined, { id: 'x' }))).toEqual({ id: 'x' });
  });
});

describe('a continued interaction', () => {
  const previousId = ids.seal({ channelId: 'gemini-2', upstreamId: 'up_old' }, 'acct_a');

  it('requires the channel that created it, and sends the id of the upstream', () => {
    const { adapter, bound } = continueFrom(previousId);
    expect(adapter.requiredChannel?.channelId).toBe('gemini-2');
    expect(adapter.requiredChannel?.whenGone()).toMatchObject({ code: 'not_found' });
    expect(bound).toEqual([{ model: 'm', input: 'Draw.', previous_interaction_id: 'up_old' }]);
  });

  it('shows the client only public ids, in replies and in refusals', () => {
    const { adapter, finish } = continueFrom(previousId);
    const reply = finish(replyOf('up_new', { id: 'up_new', previous: 'up_old' }));
    expect(reply.previous).toBe(previousId);
    expect(ids.open(reply.id ?? '', 'acct_a')?.upstreamId).toBe('up_new');
    const { error } = adapter.readFailure({ status: 400, headers: {}, body: Buffer.from('') });
    expect(error.details.passThrough?.body).toBe(`cannot continue ${previousId}`);
  });

  it.each(['v1_forged', ids.seal({ channelId: 'c', upstreamId: 'u' }, 'acct_b')])(
    'is not found for the id %s',
    (id) => {
      expect(() => continueFrom(id)).toThrow(
        expect.objectContaining({ code: 'not_found', details: { param: 'previous_interaction_id' } }),
      );
    },
  );
});
