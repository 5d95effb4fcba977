import type { ErrorRecord } from '../errors/gateway-error.js';
import type { NeutralAnswer, StreamPart, TokenCounts } from './answer.js';
import type { DialectId } from './parts.js';
import type { NeutralRequest, SettingNames } from './request.js';

/** What each answer of a request needs. Holds nothing of the prompt: it lives until the stream ends. */
export interface AnswerFrame<View = unknown> {
  /** Public model id. Every answer shows it instead of the upstream's name. */
  readonly publicModel: string;
  readonly requestId: string;
  /** Unix seconds; used if the upstream sends none. */
  readonly createdSeconds: number;
  /** Unix seconds of now: when an answer is complete. */
  readonly nowSeconds: () => number;
  /** What the client's request says about the form of the answer. Only the dialect reads it. */
  readonly view: View;
}

/** The first facts of a streamed answer. */
export interface AnswerHead {
  /** The upstream's id, without a prefix of ours. */
  readonly id?: string | undefined;
  readonly createdSeconds?: number | undefined;
  /** Counts so far: at least an estimate of the prompt. */
  readonly counts: TokenCounts;
}

/** Writes the events of one answer. Each method returns text for the client, possibly none. */
export interface AnswerEncoder {
  /** Called once, before any part. */
  open(head: AnswerHead): string;
  part(part: StreamPart): string;
  /** Ends a complete answer. */
  close(counts: TokenCounts): string;
  /** Ends an answer that broke after its first bytes. Absent: the edge writes the dialect's error event. */
  fail?(error: ErrorRecord, counts: TokenCounts): string;
}

export interface DecodedRequest<View = unknown> {
  readonly request: NeutralRequest;
  readonly view: View;
}

/** A format that clients speak. Pure: no I/O, no clock, no state between calls. */
export interface Dialect<View = unknown> {
  readonly id: DialectId;
  readonly names: SettingNames;
  /** True if an error may show the upstream's own body beside ours. */
  readonly showsUpstreamErrors: boolean;
  /** What answers lose in this format, by kind of answer. Printed, and proved by the matrix. */
  readonly losses: Readonly<Partial<Record<AnswerFeature, string>>>;
  /** The body was validated by the schema of the contracts. Throws a GatewayError (400) for what has no neutral form. */
  decodeRequest(body: unknown): DecodedRequest<View>;
  encodeAnswer(answer: NeutralAnswer, frame: AnswerFrame<View>): Uint8Array;
  openEncoder(frame: AnswerFrame<View>): AnswerEncoder;
}

/** Kinds of content of an answer that a format may lack. */
export type AnswerFeature =
  | 'text'
  | 'reasoning'
  | 'reasoning-vendor-data'
  | 'tool-calls'
  | 'tool-call-vendor-data'
  | 'custom-tool-calls'
  | 'refusal'
  | 'citations'
  | 'media'
  | 'vendor-parts'
  | 'stop-sequence';

/** Kinds of content of a request that a format may lack. */
export const REQUEST_FEATURES = [
  ...(['text', 'instruction', 'refusal', 'image', 'file', 'audio'] as const),
  ...(['tools', 'single tool call', 'forced tool', 'custom tool', "vendor's tool"] as const),
  ...(['tool result', 'tool error', 'image of a tool', 'reasoning', 'schema', 'stop', 'cache mark'] as const),
  ...(['output cap', 'temperature', 'top k', 'seed', 'logprobs', 'effort'] as const),
] as const;
export type RequestFeature = (typeof REQUEST_FEATURES)[number];
