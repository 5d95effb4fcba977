import type { ThreadReply } from './in-thread.js';

/** From the process to its thread. The call `open` begins a session, `close` ends it without a reply. */
export interface SessionCall {
  readonly session: number;
  readonly call: number;
  readonly name: string;
  readonly input: unknown;
}

/** From the thread. `failed`: the handler has a fault. */
export type SessionReply = { readonly call: number } & (ThreadReply<unknown> | { readonly failed: string });

export const OPEN = 'open';
export const CLOSE = 'close';
/** A handler with this name drops what its session no longer needs. */
export const RELEASE = 'release';
