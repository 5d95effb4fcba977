import type { Endpoint } from '@gateway/contracts';
import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Caller } from './caller.js';
import type { Gateway } from './gateway.js';

/** What a client gave a tool: nothing of it is known to be right, and the gateway judges most of it. */
export type Arguments = Readonly<Record<string, unknown>>;

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a tool is given besides its arguments. */
export interface ToolCall {
  readonly gateway: Gateway;
  readonly account: Gateway;
  readonly caller: Caller;
  /** Aborted when the client cancels or leaves. */
  readonly signal: AbortSignal;
  /** Present only if the client wants to hear of progress. */
  readonly progress: ReportProgress | undefined;
}

/** `done` grows from call to call. */
export type ReportProgress = (done: number, message: string, total?: number) => Promise<void>;

export interface ToolAnswer {
  /** For the model that called the tool to read, see or hear. */
  readonly content: readonly ContentBlock[];
  /** For its program; never a picture or a sound, which would be text to many clients. */
  readonly structured: JsonObject;
}

interface ToolText {
  readonly name: string;
  readonly title: string;
  /** What a model chooses the tool by. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** What each argument is for; the schema says what it may be. */
  readonly hints: Readonly<Record<string, string>>;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
}

/** A tool that runs a model and is charged. */
export interface PaidTool extends ToolText {
  readonly kind: 'paid';
  readonly endpoint: PaidEndpoint;
  /** The arguments as the body that the endpoint takes. Throws a ToolFailure if they cannot become one. */
  bodyOf(given: Arguments): JsonObject;
  /** The body as quotes are asked for, where it is another one. */
  quotedAs?(body: JsonObject): JsonObject;
  run(body: JsonObject, call: ToolCall): Promise<ToolAnswer>;
}

/** A tool that costs nothing. */
export interface FreeTool extends ToolText {
  readonly kind: 'free';
  /** Offered only to keys with a model there; to every key if it is not given. */
  readonly endpoint?: PaidEndpoint;
  run(given: Arguments, call: ToolCall): Promise<ToolAnswer>;
}

export type Tool = PaidTool | FreeTool;

/** Where a call is charged. */
export type PaidEndpoint = Exclude<Endpoint, 'messages.count_tokens'>;
