import { GatewayError, isGatewayError } from '@gateway/contracts';
import type { SessionThreads, ThreadSession } from '@gateway/threads';
import { openThreadedSubmission } from '../submission/in-thread/threaded-submission.js';

/** Threads without a thread: what crosses is copied as between threads. */
export class FakeThreads implements Pick<SessionThreads, 'open'> {
  readonly names: string[] = [];
  /** Sessions that are open. */
  sessionCount = 0;

  async open<Output>(
    input: unknown,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<{ readonly session: ThreadSession; readonly output: Output }> {
    const { output, handlers } = openThreadedSubmission(structuredClone(input, { transfer: [...transfer] }) as never);
    this.sessionCount += 1;
    const session: ThreadSession = {
      call: async (name, given) => {
        this.names.push(name);
        return structuredClone(await crossing(async () => handlers[name]?.(structuredClone(given)))) as never;
      },
      close: () => {
        this.sessionCount -= 1;
      },
    };
    return { session, output: structuredClone(output) as Output };
  }
}

/** An error of the gateway crosses as its record. */
async function crossing<Output>(run: () => Promise<Output>): Promise<Output> {
  try {
    return await run();
  } catch (error) {
    throw isGatewayError(error) ? GatewayError.fromRecord(structuredClone(error.toRecord())) : error;
  }
}
