export interface ReceivedRequest {
  /** The call's number in the journal. */
  readonly seq: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

const MAX_STORED_REQUESTS = 200;
const MAX_STORED_BYTES = 128 * 1024 * 1024;

/** The last requests, byte for byte. */
export class ReceivedRequests {
  readonly #requests: ReceivedRequest[] = [];
  #bytes = 0;

  add(request: ReceivedRequest): void {
    this.#requests.push(request);
    this.#bytes += request.body.length;
    while (
      this.#requests.length > MAX_STORED_REQUESTS ||
      (this.#bytes > MAX_STORED_BYTES && this.#requests.length > 1)
    ) {
      this.#bytes -= this.#requests.shift()?.body.length ?? 0;
    }
  }

  since(seq: number): object[] {
    return this.#requests.filter((request) => request.seq > seq).map(show);
  }
}

const show = ({ seq, method, path, rawHeaders, body }: ReceivedRequest): object => ({
  seq,
  method,
  path,
  headers: Object.fromEntries(pairs(rawHeaders)),
  raw_headers: rawHeaders,
  body: body.toString('utf8'),
  body_base64: body.toString('base64'),
});

function* pairs(rawHeaders: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    yield [String(rawHeaders[at]).toLowerCase(), String(rawHeaders[at + 1])];
  }
}
