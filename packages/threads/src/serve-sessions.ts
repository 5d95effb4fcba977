import { parentPort } from 'node:worker_threads';
import { isGatewayError } from '@gateway/contracts';
import { bytesIn } from './bytes-in.js';
import { garbageCollector } from './collect-garbage.js';
import { CLOSE, OPEN, RELEASE, type SessionCall, type SessionReply } from './session-messages.js';

/** The functions of one session. Their inputs and outputs are plain data. */
// biome-ignore lint/suspicious/noExplicitAny: each handler knows its input
export type SessionHandlers = Readonly<Record<string, (input: any) => unknown>>;

export interface OpenedSession {
  /** What the caller of `open` gets. */
  readonly output: unknown;
  readonly handlers: SessionHandlers;
}

/** Runs in the thread: serves each session by the handlers that `open` makes for it. Byte arrays that are members of an output move. */
export function serveSessions<Input>(open: (input: Input) => OpenedSession): void {
  const port = parentPort;
  if (port === null) throw new Error('serveSessions runs in a thread');
  const sessions = new Map<number, SessionHandlers>();
  /** The bytes of the input that each session still keeps. */
  const lengths = new Map<number, number>();
  const forget = (session: number): number => {
    const bytes = lengths.get(session) ?? 0;
    lengths.delete(session);
    return bytes;
  };
  const collect = garbageCollector();
  const run = async ({ session, name, input }: SessionCall): Promise<unknown> => {
    if (name !== OPEN) return sessions.get(session)?.[name]?.(input);
    lengths.set(session, bytesIn(input));
    const { output, handlers } = open(input as Input);
    sessions.set(session, handlers);
    return output;
  };
  port.on('message', (called: SessionCall) => {
    if (called.name === CLOSE) {
      sessions.delete(called.session);
      collect(forget(called.session));
      return;
    }
    const { call } = called;
    const inputBytes = called.name === RELEASE ? forget(called.session) : bytesIn(called.input);
    void run(called)
      .then((output) => {
        const outputBytes = bytesIn(output);
        const { moved, memory } = withCopies(output);
        port.postMessage({ call, output: moved } satisfies SessionReply, memory);
        collect(Math.max(inputBytes, outputBytes));
      })
      .catch((error: unknown) => {
        port.postMessage(failureOf(call, error));
        collect(inputBytes);
      });
  });
}

const failureOf = (call: number, error: unknown): SessionReply =>
  isGatewayError(error)
    ? { call, refused: error.toRecord() }
    : { call, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };

/** The output with copies of the byte arrays that are its members, and the memory of those. */
function withCopies(output: unknown): { readonly moved: unknown; readonly memory: ArrayBuffer[] } {
  const memory: ArrayBuffer[] = [];
  if (typeof output !== 'object' || output === null) return { moved: output, memory };
  const members = Object.entries(output).map(([name, value]: [string, unknown]) => {
    if (!(value instanceof Uint8Array)) return [name, value] as const;
    // A copy: the session may go on with the same memory, such as a body that passes unchanged.
    const own = new Uint8Array(value);
    memory.push(own.buffer);
    return [name, own] as const;
  });
  return { moved: memory.length === 0 ? output : Object.fromEntries(members), memory };
}
