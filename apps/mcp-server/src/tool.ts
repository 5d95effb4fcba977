import type { Endpoint } from '@gateway/contracts';
import type { ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Caller, Gateway, GatewayRequest, GatewayResponse } from './gateway.js';

/** Arguments as the client sent them, unvalidated. The gateway validates most of them. */
export type Arguments = Readonly<Record<string, unknown>>;

export type JsonObject = Readonly<Record<string, unknown>>;

/** Context of one tool call. */
export interface ToolContext {
  readonly gateway: Gateway;
  readonly account: Gateway;
  readonly caller: Caller;
  /** Aborted when the client cancels or disconnects. */
  readonly signal: AbortSignal;
  /** Undefined if the client did not request progress. */
  readonly progress: ReportProgress | undefined;
}

/** `done` increases with every report. */
export type ReportProgress = (done: number, message: string, total?: number) => Promise<void>;

export interface ToolResult {
  /** For the calling model: text, images, audio, links. */
  readonly content: readonly ContentBlock[];
  /** For the client program. Never holds image or audio data: many clients show it as text. */
  readonly structured: JsonObject;
}

interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  /** A model selects the tool by this text. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** Purpose of each argument, by name. The schema states only its type. */
  readonly hints: Readonly<Record<string, string>>;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** Offered only to a request that names it in `x-mcp-tools`: it hands out rights. */
  readonly isOnRequest?: true;
}

/** One request of a tool and its result, apart: another call may read the result later. */
export interface LaterCall {
  requestOf(body: JsonObject): GatewayRequest | Promise<GatewayRequest>;
  resultOf(response: GatewayResponse): Promise<ToolResult>;
}

/** Tool that runs a model and is charged. */
export interface PaidTool extends ToolDefinition {
  readonly kind: 'paid';
  readonly endpoint: PaidEndpoint;
  /** Builds the endpoint's request body. Throws a ToolFailure for arguments that cannot form one. */
  bodyOf(args: Arguments): JsonObject;
  /** Builds the body for a quote, where it differs from the request body. */
  quoteBodyOf?(body: JsonObject): JsonObject;
  /** Present if the call may take longer than its client waits. */
  readonly later?: LaterCall;
  run(body: JsonObject, call: ToolContext): Promise<ToolResult>;
}

/** Tool that costs nothing. */
export interface FreeTool extends ToolDefinition {
  readonly kind: 'free';
  /** Limits the tool to keys with a model at this endpoint. Undefined: every key has it. */
  readonly endpoint?: PaidEndpoint;
  run(args: Arguments, call: ToolContext): Promise<ToolResult>;
}

export type Tool = PaidTool | FreeTool;

/** Endpoints that charge. */
export type PaidEndpoint = Exclude<
  Endpoint,
  'messages.count_tokens' | 'models.count_tokens' | 'responses.input_tokens'
>;
