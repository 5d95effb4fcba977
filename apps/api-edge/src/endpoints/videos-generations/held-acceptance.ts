import { GatewayError, type ResponseHead } from '@gateway/contracts';
import type { HeldAnswer } from '../../held-answer.js';

const ACCEPTED = 202;

/** The acceptance of a task whose client waits for its end: it is kept here instead of being sent. */
export class HeldAcceptance implements HeldAnswer {
  readonly #pieces: Buffer[] = [];
  #isWhole = false;

  holdsBack({ status }: Pick<ResponseHead, 'status'>): boolean {
    return status === ACCEPTED;
  }

  take(piece: Buffer): void {
    // The piece is a view into a message that will be used again.
    this.#pieces.push(Buffer.from(piece));
  }

  end(last: Buffer | string | undefined): void {
    if (last !== undefined) this.#pieces.push(Buffer.from(last));
    this.#isWhole = true;
  }

  /** The acceptance as its client would have got it. Undefined: there is none, and its client has been told why. */
  get text(): string | undefined {
    return this.#isWhole ? Buffer.concat(this.#pieces).toString('utf8') : undefined;
  }

  /** Whose end the client waits for. */
  static taskIdIn(text: string): string {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'id' in answer && typeof answer.id === 'string') {
      return answer.id;
    }
    throw new GatewayError('internal_error', 'A task was accepted without an id.');
  }
}
