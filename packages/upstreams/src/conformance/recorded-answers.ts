import { readdirSync, readFileSync } from 'node:fs';
import type { ChatProtocolId, UnitCounts } from '@gateway/contracts';

interface ToolCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** A vendor's answer with what it says, rebuilt from a public recording. */
export interface RecordedAnswer {
  readonly source: string;
  readonly pricedAs: string;
  readonly body?: object;
  readonly events?: readonly { readonly type?: string }[];
  readonly expected: {
    readonly text: string;
    readonly toolCalls: readonly ToolCall[];
    /** The vendor's word for the end. */
    readonly stop: string;
    /** Tokens of the top-level usage. */
    readonly units: UnitCounts;
    /** Searches of the vendor, which only the native format reports. */
    readonly searches?: number;
    /** Digits: all that the vendor bills, without searches. */
    readonly nanoUsd: string;
    readonly nanoUsdWithSearches?: string;
    /** The vendor sampled more than the answer. */
    readonly isIterated?: true;
  };
}

export interface RecordedError {
  readonly source: string;
  readonly protocol: ChatProtocolId;
  readonly status: number;
  readonly body: unknown;
  readonly kind: string;
}

const HOME = new URL('../../recorded/', import.meta.url);

export const recordedErrors = (): readonly RecordedError[] =>
  JSON.parse(readFileSync(new URL('errors.json', HOME), 'utf8')) as readonly RecordedError[];

/** Name and answer of each file of the protocol. */
export const recordedAnswers = (protocol: string): readonly (readonly [string, RecordedAnswer])[] => {
  const folder = new URL(`${protocol}/`, HOME);
  return readdirSync(folder)
    .sort()
    .map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordedAnswer,
    ]);
};

type Frame = (event: { readonly type?: string }) => string;
const named: Frame = (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const unnamed: Frame = (event) => `data: ${JSON.stringify(event)}\n\n`;

/** How each vendor frames its events, and ends its stream. */
const FRAMES: Readonly<Record<ChatProtocolId, readonly [frame: Frame, end: string]>> = {
  'anthropic-messages': [named, ''],
  'openai-responses': [named, ''],
  'openai-chat': [unnamed, 'data: [DONE]\n\n'],
  'dashscope-chat': [unnamed, 'data: [DONE]\n\n'],
  'gemini-generate': [(event) => `data: ${JSON.stringify(event)}\r\n\r\n`, ''],
};

/** The bytes of the stream. */
export const streamBytes = (protocol: ChatProtocolId, { events = [] }: RecordedAnswer): Buffer => {
  const [frame, end] = FRAMES[protocol];
  return Buffer.from(events.map(frame).join('') + end);
};
