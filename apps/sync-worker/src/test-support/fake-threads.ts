import { GatewayError, isGatewayError } from '@gateway/contracts';
import type { SessionThreads, ThreadSession } from '@gateway/threads';
import { openThreadedPlan } from '../adapters/in-thread/threaded-plan.js';

/** Threads without a thread: what crosses is copied as between threads. */
export class FakeThreads implements Pick<SessionThreads, 'open'> {
  readonly names: string[] = [];
  /** Sessions that are open. */
  sessionCount = 0;

  async open<Output>(input: unknown): Promise<{ readonly session: ThreadSession; readonly output: Output }> {
    const opened = crossing(() => openThreadedPlan(structuredClone(input) as never));
    this.sessionCount += 1;
    const session: ThreadSession = {
      call: async (name, given, transfer = []) => {
        this.names.push(name);
        const handlers = opened.handlers as Record<string, (input: unknown) => unknown>;
        const output = await crossing(() => handlers[name]?.(structuredClone(given, { transfer: [...transfer] })));
        return structuredClone(output) as never;
      },
      close: () => {
        this.sessionCount -= 1;
      },
    };
    return { session, output: structuredClone(opened.output) as Output };
  }
}

/** An error of the gateway crosses as its record. */
function crossing<Output>(run: () => Output): Output {
  try {
    return run();
  } catch (error) {
    throw isGatewayError(error) ? GatewayError.fromRecord(structuredClone(error.toRecord())) : error;
  }
}
