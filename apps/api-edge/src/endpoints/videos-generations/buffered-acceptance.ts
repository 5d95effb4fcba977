import { GatewayError, type ResponseHead } from '@gateway/contracts';
import type { BufferedResponse } from '../../edge-request.js';

const ACCEPTED = 202;

/** Buffers the acceptance (202) of a task whose client waits for the end. Errors go to the client. */
export class BufferedAcceptance implements BufferedResponse {
  readonly #chunks: Buffer[] = [];
  #isComplete = false;

  buffers({ status }: Pick<ResponseHead, 'status'>): boolean {
    return status === ACCEPTED;
  }

  write(chunk: Buffer): void {
    // The relay reuses the chunk's memory.
    this.#chunks.push(Buffer.from(chunk));
  }

  end(last: Buffer | string | undefined): void {
    if (last !== undefined) this.#chunks.push(Buffer.from(last));
    this.#isComplete = true;
  }

  /** The body of the acceptance. Undefined if the client got an error instead. */
  get text(): string | undefined {
    return this.#isComplete ? Buffer.concat(this.#chunks).toString('utf8') : undefined;
  }

  /** The id of the accepted task. */
  static taskIdIn(text: string): string {
    const acceptance: unknown = JSON.parse(text);
    if (
      typeof acceptance === 'object' &&
      acceptance !== null &&
      'id' in acceptance &&
      typeof acceptance.id === 'string'
    ) {
      return acceptance.id;
    }
    throw new GatewayError('internal_error', "'id': expected a string in the acceptance of a task.");
  }
}
