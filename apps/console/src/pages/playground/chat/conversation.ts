import type { Model } from '../../../api/models.js';
import type { ApiRequest } from '../bench/api-request.js';

export const DIALECT_IDS = ['chat.completions', 'responses', 'messages', 'generate_content'] as const;
export type DialectId = (typeof DIALECT_IDS)[number];

/** A file that goes with a message. */
export interface Attachment {
  readonly name: string;
  /** Such as `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

export interface FunctionTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: object;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text; incomplete while it comes. */
  readonly arguments: string;
  /** What the dialect wants back with the call. */
  readonly vendor?: unknown;
}

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly content: string;
}

/** What a person sends: a message, or the results of the functions that the model called. */
export interface ChatInput {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly results: readonly ToolResult[];
}

export interface TokenUsage {
  /** The whole prompt. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export interface ChatAnswer {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolCall[];
  readonly usage: TokenUsage | null;
  /** Why it ended, in the dialect's word; null: it has not ended. */
  readonly finish: string | null;
  /** The answer in the dialect's own form, to be sent back unchanged. */
  readonly native: readonly unknown[];
}

export const NO_ANSWER: ChatAnswer = { text: '', thinking: '', calls: [], usage: null, finish: null, native: [] };

export interface Turn {
  readonly input: ChatInput;
  readonly answer: ChatAnswer;
  readonly dialect: DialectId;
}

/** Null: the model's default. */
export interface ChatSettings {
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly effort: string | null;
}

export interface ChatPrompt {
  readonly model: Model;
  readonly system: string;
  readonly tools: readonly FunctionTool[];
  readonly settings: ChatSettings;
  readonly turns: readonly Turn[];
  readonly input: ChatInput;
}

/** How a prompt is written in one client format, and how its stream is read. */
export interface ChatDialect {
  readonly label: string;
  /** The path in the list of a model's endpoints. */
  readonly path: string;
  /** Kinds of attachments that the format has. */
  readonly takes: (mediaType: string) => boolean;
  readonly build: (prompt: ChatPrompt) => ApiRequest;
  /** The answer after one more event. Throws a GatewayError for an event that reports a failure. */
  readonly read: (answer: ChatAnswer, event: unknown) => ChatAnswer;
}

export const dataUri = ({ mediaType, base64 }: Attachment): string => `data:${mediaType};base64,${base64}`;

export const isImage = (mediaType: string): boolean => mediaType.startsWith('image/');
export const isAudio = (mediaType: string): boolean => mediaType.startsWith('audio/');

const AUDIO_FORMATS: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav', 'x-m4a': 'm4a' };

/** `mp3` for `audio/mpeg`. */
export function audioFormat(mediaType: string): string {
  const subtype = mediaType.slice('audio/'.length).split(';')[0] ?? '';
  return AUDIO_FORMATS[subtype] ?? subtype;
}

/** An empty object for arguments that are no object, such as those of a call that was cut. */
export function argumentsOf(call: ToolCall): object {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The call at a place, with more of its arguments. A new one is added. */
export function withCall(
  calls: readonly ToolCall[],
  isSame: (call: ToolCall, index: number) => boolean,
  change: (call: ToolCall) => ToolCall,
): readonly ToolCall[] {
  const index = calls.findIndex(isSame);
  if (index < 0) return [...calls, change({ id: '', name: '', arguments: '' })];
  return calls.with(index, change(calls[index] as ToolCall));
}
