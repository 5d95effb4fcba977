import { MAX_RESPONSE_BYTES } from '@gateway/contracts';

/** Finds the JSON of the finished response in the bytes of an HTTP response. */
export interface ResponseObjectReader {
  /** True once the response object is complete. The bytes are copied where they are kept. */
  add(chunk: Buffer): boolean;
  /** Undefined: the response is incomplete, or too large. */
  readonly response: Buffer | undefined;
}

/** The body of a response that is no stream is the object. */
export class WholeResponseReader implements ResponseObjectReader {
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(private readonly contentLength: number) {}

  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes <= MAX_RESPONSE_BYTES) this.#chunks.push(Buffer.from(chunk));
    else this.#chunks = [];
    return this.#bytes === this.contentLength;
  }

  get response(): Buffer | undefined {
    return this.#bytes <= MAX_RESPONSE_BYTES ? Buffer.concat(this.#chunks) : undefined;
  }
}
