import type { OpenedSession } from '@gateway/threads';
import type { WireRequest } from '@gateway/upstreams';
import { receiveSubmission, type SubmitCall } from '../received-submission.js';

/** Opens a session, whose output is the submission's facts. */
export interface LongBody {
  readonly body: Uint8Array;
}

/** Reads a submission in the thread, and writes its upstream requests. */
export function openThreadedSubmission({ body }: LongBody): OpenedSession {
  const submission = receiveSubmission(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return {
    output: submission?.facts,
    handlers: {
      buildSubmit: async (submit: SubmitCall): Promise<WireRequest | undefined> => {
        const wire = await submission?.buildSubmit(submit);
        // The process sends bytes as they are. A text it would encode in its event loop.
        return typeof wire?.body === 'string' ? { ...wire, body: Buffer.from(wire.body) } : wire;
      },
    },
  };
}
