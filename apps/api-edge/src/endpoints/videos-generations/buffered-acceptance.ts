import { GatewayError, type ResponseHead } from '@gateway/contracts';
import type { BufferedResponse } from '../../edge-request.js';

const ACCEPTED = 202;

/** Buffers the acceptance of a task whose client waits for the end. A refusal goes to the client. */
export class BufferedAcceptance implements BufferedResponse {
  readonly #chunks: Buffer[] = [];
  #isWhole = false;

  buffers({ status }: Pick<ResponseHead, 'status'>): boolean {
    return status === ACCEPTED;
  }

  write(chunk: Buffer): void {
    // The relay reuses the chunk's memory.
    this.#chunks.push(Buffer.from(chunk));
  }

  end(last: Buffer | string | undefined): void {
    if (last !== undefined) this.#chunks.push(Buffer.from(last));
    this.#isWhole = true;
  }

  /** The body of the acceptance. Undefined if the client has got a refusal instead. */
  get text(): string | undefined {
    return this.#isWhole ? Buffer.concat(this.#chunks).toString('utf8') : undefined;
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
    throw new GatewayError('internal_error', 'A task was accepted without an id.');
  }
}
