import { GatewayError } from '@gateway/contracts';
import { elementsOf, joinElements, outputElements, withMember } from '../../response-state/request-members.js';
import type { SocketFrame } from './socket-frame.js';

/** A longer history is not remembered: the client then sends it whole. */
const MAX_BYTES = 8 * 1024 * 1024;
const NULL = Buffer.from('null');

type Elements = readonly Buffer[];

const bytesOf = (elements: Elements): number => elements.reduce((sum, { length }) => sum + length, 0);

/** A body to send, and what its prompt consists of, if the socket knows that. */
export interface ContinuedFrame {
  readonly body: Buffer;
  readonly elements?: Elements;
}

/** The last response of a socket that is not stored anywhere else: `store: false` can be continued on the same socket. */
export class SocketHistory {
  #last: { readonly id: string; readonly elements: Elements } | undefined;
  #bytes = 0;

  /** `exchange`: replaces the bytes that this history takes by others. False: there is no memory for them. */
  constructor(private readonly exchange: (has: number, wants: number) => boolean) {}

  /** The body with the remembered history, if it continues that. Otherwise the stored responses decide. */
  continue({ body, members: { input, previousId } }: SocketFrame): ContinuedFrame {
    // A copy: a slice would keep the whole message as long as its elements are remembered.
    const own = input === undefined ? [] : [Buffer.from(elementsOf(input))];
    if (previousId === undefined) return { body, elements: own };
    if (previousId !== this.#last?.id) return { body };
    const elements = [...this.#last.elements, ...own];
    const alone = withMember(body, 'previous_response_id', NULL);
    return { body: withMember(alone, 'input', joinElements(elements)), elements };
  }

  remember(id: string, elements: Elements | undefined, responseJson: string | undefined): void {
    const all = [...(elements ?? []), ...(responseJson === undefined ? [] : [outputElements(responseJson)])];
    if (elements === undefined || !this.#fits(bytesOf(all))) this.forget();
    else this.#last = { id, elements: all };
  }

  forget(): void {
    this.#last = undefined;
    this.exchange(this.#bytes, 0);
    this.#bytes = 0;
  }

  #fits(bytes: number): boolean {
    if (bytes > MAX_BYTES || !this.exchange(this.#bytes, bytes)) return false;
    this.#bytes = bytes;
    return true;
  }
}

export const unknownPrevious = (id: string | undefined): GatewayError =>
  new GatewayError('previous_response_not_found', `Previous response with id '${id?.slice(0, 100)}' not found.`, {
    param: 'previous_response_id',
  });
