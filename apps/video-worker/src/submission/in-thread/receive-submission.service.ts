import { ownBytes, type SessionThreads } from '@gateway/threads';
import type { WireRequest } from '@gateway/upstreams';
import { Inject, Injectable } from '@nestjs/common';
import { THREADS } from '../../tokens.js';
import { type ReceivedSubmission, receiveSubmission, type SubmissionFacts } from '../received-submission.js';
import type { LongBody } from './threaded-submission.js';

/** A megabyte is parsed or written within a few milliseconds. */
const LONG_BYTES = 1024 * 1024;

/** Reads a submission: a long one in a thread, so that no other task of this worker waits for it. */
@Injectable()
export class ReceiveSubmission {
  constructor(@Inject(THREADS) private readonly threads: Pick<SessionThreads, 'open'>) {}

  /** A long `body` is empty afterwards. Undefined: a newer edge has written it. Throws 503 if the thread failed. */
  async receive(body: Buffer): Promise<ReceivedSubmission | undefined> {
    if (body.length <= LONG_BYTES) return receiveSubmission(body);
    const own = ownBytes(body);
    const input: LongBody = { body: own };
    const { session, output } = await this.threads.open<SubmissionFacts | undefined>(input, [own.buffer]);
    const close = (): void => session.close();
    if (output !== undefined) {
      return { facts: output, buildSubmit: (submit) => session.call<WireRequest>('buildSubmit', submit), close };
    }
    close();
    return undefined;
  }
}
