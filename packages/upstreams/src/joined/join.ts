import { type AnswerFrame, type Changes, type Dialect, mergeChanges, type SettingNames } from '@gateway/contracts';
import type { AnswerSink, NeutralCall, NeutralProtocol, StreamingProtocol, StreamReader } from '../protocol.js';
import { EventStreamReader } from '../sse/event-stream-reader.js';
import { type DialectCall, decodeCall } from './dialect-call.js';
import { convertingErrors, readerWithErrors, withoutEnvelope } from './error-envelope.js';
import { type FittedRequest, fitRequest } from './fit-request.js';
import { OwnCallSink, withOwnCalls } from './own-calls.js';
import { CollectingTranslator, EncodingTranslator } from './translators.js';

interface Fitted<View> extends FittedRequest {
  readonly call: NeutralCall;
  readonly frame: AnswerFrame<View>;
}

/** Serves a dialect by a protocol, through the neutral form. Neither knows the other. */
export function join<View>(dialect: Dialect<View>, protocol: NeutralProtocol): StreamingProtocol<DialectCall> {
  const fittedOf = fitOnce(dialect, protocol);
  const convert = dialect.showsUpstreamErrors ? <Result>(run: () => Result): Result => run() : convertingErrors;
  return {
    id: protocol.id,
    buildRequest: (call, target) => {
      const { call: neutral, changes } = fittedOf(call);
      const request = protocol.encodeRequest(neutral, target);
      const all = mergeChanges(changes, request.changes);
      const reported = call.dropsReasoning === true ? mergeChanges(all, { filled: {}, dropped: ['reasoning'] }) : all;
      return { ...request, changes: renamed(reported, dialect.names) };
    },
    streamsUpstream: (call) => protocol.streamsUpstream(fittedOf(call).call),
    readReply: (body, call) => {
      const { call: neutral, ownTools, frame } = fittedOf(call);
      const { answer, ...facts } = convert(() => protocol.decodeAnswer(body, neutral));
      return {
        ...facts,
        body: dialect.encodeAnswer(ownTools.size === 0 ? answer : withOwnCalls(answer, ownTools), frame),
      };
    },
    openReader: (call) => {
      const reader = openReader(dialect, protocol, fittedOf(call));
      return dialect.showsUpstreamErrors ? reader : readerWithErrors(reader);
    },
    readFailure: (failure) => {
      const read = protocol.readFailure(failure);
      return dialect.showsUpstreamErrors ? read : { ...read, error: withoutEnvelope(read.error) };
    },
  };
}

const nowSeconds = (): number => Math.floor(Date.now() / 1_000);

/** Decodes and fits each call once: its protocol is asked several times about it. */
function fitOnce<View>(dialect: Dialect<View>, protocol: NeutralProtocol): (call: DialectCall) => Fitted<View> {
  const known = new WeakMap<DialectCall, Fitted<View>>();
  return (call) => {
    let fitted = known.get(call);
    if (fitted === undefined) {
      const { request, view } = decodeCall(dialect, call);
      const { publicModel, traits, requestId, createdSeconds } = call;
      const facts = { publicModel, requestId, createdSeconds };
      const returnsReasoning = dialect.losses['reasoning-vendor-data'] === undefined;
      const neutral: NeutralCall = { ...facts, request, traits, names: dialect.names, returnsReasoning };
      const fit = fitRequest(neutral, protocol);
      fitted = { ...fit, call: { ...neutral, request: fit.request }, frame: { ...facts, view, nowSeconds } };
      known.set(call, fitted);
    }
    return fitted;
  };
}

/** The reader must not hold the call: its prompt would stay in memory until the stream ends. */
function openReader<View>(
  dialect: Dialect<View>,
  protocol: NeutralProtocol,
  { call, ownTools, frame }: Fitted<View>,
): StreamReader {
  const openDecoder = (sink: AnswerSink) =>
    protocol.openDecoder(call, ownTools.size === 0 ? sink : new OwnCallSink(sink, ownTools));
  return new EventStreamReader(
    call.request.streams
      ? new EncodingTranslator(openDecoder, dialect.openEncoder(frame))
      : new CollectingTranslator(openDecoder, (answer) => dialect.encodeAnswer(answer, frame)),
  );
}

/** Changes under the client's names. A path of the client, such as `tools[0]`, has no other name. */
function renamed({ filled, dropped }: Changes, names: SettingNames): Changes {
  const known: Readonly<Record<string, string | undefined>> = names;
  const nameOf = (name: string): string => known[name] ?? name;
  return {
    filled: Object.fromEntries(Object.entries(filled).map(([name, value]) => [nameOf(name), value])),
    dropped: dropped.map(nameOf),
  };
}
