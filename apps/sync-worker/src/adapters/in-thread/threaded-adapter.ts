import { GatewayError, type Vendor } from '@gateway/contracts';
import { ownBytes, type ThreadSession } from '@gateway/threads';
import { BilledFailure, type UpstreamReply, type WireRequest } from '@gateway/upstreams';
import type { CalledAdapter, CalledUnary, Download } from '../../model-adapter.js';
import { withBuffer } from './as-buffer.js';
import type { AdapterDescription, FailureRead, ReaderState, ReplyRead, ThreadCalls } from './thread-calls.js';
import { ThreadedReader } from './threaded-reader.js';

/** Calls a function of the thread. `moved`: bytes of the input, which are empty afterwards. */
export type CallThread = <Name extends keyof ThreadCalls, Output>(
  name: Name,
  input: ThreadCalls[Name],
  moved?: readonly ArrayBuffer[],
) => Promise<Output>;

/** An adapter whose functions run in a thread. */
export function threadedAdapter(description: AdapterDescription, session: ThreadSession): CalledAdapter {
  const { at, identity, requiredChannel, withoutReasoning, form } = description;
  const call: CallThread = (name, input, moved) => session.call(name, input, moved);
  const bound = {
    ...identity,
    vendor: identity.vendor as Vendor,
    ...(requiredChannel !== undefined && {
      requiredChannel: {
        channelId: requiredChannel.channelId,
        whenGone: () => GatewayError.fromRecord(requiredChannel.whenGone),
      },
    }),
    ...(withoutReasoning !== undefined && { withoutReasoning: () => threadedAdapter(withoutReasoning, session) }),
    buildRequest: (target: ThreadCalls['buildRequest']['target']) =>
      call<'buildRequest', WireRequest>('buildRequest', { at, target }),
    readFailure: async (failure: Omit<ThreadCalls['readFailure'], 'at'>) => {
      const { error, ...read } = await call<'readFailure', FailureRead>('readFailure', { at, ...failure });
      return { ...read, error: GatewayError.fromRecord(error) };
    },
  };
  if (form.kind === 'unary') return { ...bound, ...unaryOf(at, form, call) };
  return {
    ...bound,
    ...form,
    openReader: async () => {
      const { reader, state } = await call<'openReader', { reader: number; state: ReaderState }>('openReader', { at });
      return new ThreadedReader(session, reader, state);
    },
  };
}

type UnaryForm = Extract<AdapterDescription['form'], { readonly kind: 'unary' }>;
type UnaryFunctions = Pick<CalledUnary, 'kind' | 'responseLimitBytes' | 'readReply' | 'completeReply' | 'finishReply'>;

function unaryOf(at: number, form: UnaryForm, call: CallThread): UnaryFunctions {
  const { responseLimitBytes } = form;
  return {
    kind: 'unary',
    ...(responseLimitBytes !== undefined && { responseLimitBytes }),
    readReply: (body) => readReply(at, body, call),
    ...(form.completesReply && { completeReply: (reply, download) => completeReply(at, reply, download, call) }),
    ...(form.finishesReply && {
      finishReply: async (reply, channelId) =>
        withBuffer(await call<'finishReply', UpstreamReply>('finishReply', { at, channelId, ...reply })),
    }),
  };
}

/** `body` is empty afterwards. */
export async function readReply(at: number, body: Uint8Array, call: CallThread): Promise<UpstreamReply> {
  const own = ownBytes(body);
  const read = await call<'readReply', ReplyRead>('readReply', { at, body: own }, [own.buffer]);
  if ('billed' in read) throw new BilledFailure(GatewayError.fromRecord(read.error), read.billed);
  return withBuffer(read);
}

export async function completeReply(
  at: number,
  reply: UpstreamReply,
  download: Download,
  call: CallThread,
): Promise<UpstreamReply> {
  const wanted = await call<'completeReply', readonly string[]>('completeReply', { at, ...reply });
  const results = new Map(await Promise.all(wanted.map(async (url) => [url, await download(url)] as const)));
  return withBuffer(await call<'completeReply', UpstreamReply>('completeReply', { at, ...reply, results }));
}
