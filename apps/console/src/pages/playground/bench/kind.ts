import type { MessageDescriptor } from '@lingui/core';
import type { ComponentType, ReactNode } from 'react';
import type { Model } from '../../../api/models.js';
import type { Quote } from '../../../api/quotes.js';
import type { ApiRequest } from './api-request.js';
import type { Units } from './estimate-cost.js';
import type { Exchange } from './exchange.js';

export interface BuildContext<Draft, Output> {
  readonly model: Model;
  readonly draft: Draft;
  /** What was sent to this model before, the oldest first. */
  readonly history: readonly Exchange<Draft, Output>[];
}

/** Calls the public API with the playground's key, such as to read a task. `path` begins with `/v1/`. */
export type CallApi = (
  path: string,
  init?: { readonly method?: string; readonly signal?: AbortSignal },
) => Promise<Response>;

export interface ReadContext<Output> {
  readonly request: ApiRequest;
  readonly response: Response;
  readonly emit: (output: Output) => void;
  /** Aborted when the person stops it. */
  readonly signal: AbortSignal;
  readonly callApi: CallApi;
}

/** A function makes the change of the draft as it is then, such as after a file was read. */
export type ChangeDraft<Draft> = (change: Partial<Draft> | ((before: Draft) => Partial<Draft>)) => void;

export interface FormProps<Draft> {
  readonly draft: Draft;
  readonly change: ChangeDraft<Draft>;
  readonly models: readonly Model[];
  /** What sends it: a conversation has it beside the message. */
  readonly actions?: ReactNode;
}

export interface ResultProps<Draft, Output> {
  readonly exchange: Exchange<Draft, Output>;
  /** Sends another draft to this model alone, such as the results of its calls. Absent while it runs. */
  readonly send?: ((draft: Draft) => void) | undefined;
}

interface Example<Draft> {
  readonly label: MessageDescriptor;
  /** The part of the form that its words fill. */
  readonly fill: (words: string) => Partial<Draft>;
}

/** One kind of model: its form, how a request is made of it, and how the answer is read and shown. */
export interface Kind<Draft, Output> {
  /** True: each request continues what was sent before. */
  readonly isConversation: boolean;
  readonly first: Draft;
  /** What an empty page offers to begin with. */
  readonly examples?: readonly Example<Draft>[];
  readonly isReady: (draft: Draft) => boolean;
  /** Why these models cannot be asked for this. */
  readonly problemOf?: (draft: Draft, models: readonly Model[]) => MessageDescriptor | undefined;
  readonly build: (context: BuildContext<Draft, Output>) => ApiRequest;
  /** The draft after it was sent. Default: the same. */
  readonly after?: (draft: Draft) => Draft;
  readonly start: Output;
  /** Resolves when the answer is whole. Throws a GatewayError, or a CutStream. */
  readonly read: (context: ReadContext<Output>) => Promise<void>;
  /** Units so far. Default: what the quote expects. */
  readonly unitsOf?: (output: Output, quote: Quote | null) => Units;
  readonly Form: ComponentType<FormProps<Draft>>;
  readonly Settings?: ComponentType<FormProps<Draft>>;
  readonly Result: ComponentType<ResultProps<Draft, Output>>;
}
