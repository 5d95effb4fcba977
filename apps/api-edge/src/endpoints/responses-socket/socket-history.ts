import { STATE_FORMS } from '@gateway/contracts';
import { joinElements, outputElements, withMember } from '../../response-state/request-members.js';
import type { SocketFrame } from './socket-frame.js';

/** A longer history is not remembered: the client then sends it whole. */
const MAX_BYTES = 8 * 1024 * 1024;

type Elements = readonly Buffer[];

const bytesOf = (elements: Elements): number => elements.reduce((sum, { length }) => sum + length, 0);

/** What a turn's prompt consists of: a stored history, if it continues one, and elements that only the socket knows. */
interface Prompt {
  readonly storedId: string | undefined;
  readonly elements: Elements;
}

/** A body to send, and its prompt, if the socket can remember that. */
export interface ContinuedFrame {
  readonly body: Buffer;
  readonly prompt?: Prompt;
}

/** The last response of a socket that is not stored anywhere else: `store: false` can be continued on the same socket. */
export class SocketHistory {
  #last: (Prompt & { readonly id: string }) | undefined;
  #bytes = 0;

  /** `exchange`: replaces the bytes that this history takes by others. False: there is no memory for them. */
  constructor(private readonly exchange: (has: number, wants: number) => boolean) {}

  /** The body with the remembered elements, if it continues them. The edge adds the stored history. */
  continue({ body, members: { input, previousId, conversationId } }: SocketFrame): ContinuedFrame {
    // A conversation may have grown before the next turn: it is not remembered.
    if (conversationId !== undefined) return { body };
    // A copy: a slice would keep the whole message as long as its elements are remembered.
    const own = input === undefined ? [] : [Buffer.from(STATE_FORMS.responses.inputElements(input))];
    if (previousId === undefined || previousId !== this.#last?.id)
      return { body, prompt: { storedId: previousId, elements: own } };
    const { storedId } = this.#last;
    const elements = [...this.#last.elements, ...own];
    const before = withMember(body, 'previous_response_id', Buffer.from(JSON.stringify(storedId ?? null)));
    return { body: withMember(before, 'input', ...joinElements(elements)), prompt: { storedId, elements } };
  }

  remember(id: string, prompt: Prompt | undefined, responseJson: string | undefined): void {
    const output = responseJson === undefined ? [] : [outputElements(responseJson, STATE_FORMS.responses)];
    const elements = [...(prompt?.elements ?? []), ...output];
    if (prompt === undefined || !this.#fits(bytesOf(elements))) this.forget();
    else this.#last = { id, storedId: prompt.storedId, elements };
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
