import { createAccountClient } from '@gateway/client';
import { isGatewayError, Unreachable } from './failures.js';

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  readonly query?: Query | undefined;
  /** A file is sent as CSV, anything else as JSON. */
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `/account/requests?limit=50`. Leaves out what is undefined, null or empty, and blanks around what was pasted. */
export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => {
    const text = String(value ?? '').trim();
    return text === '' ? [] : [[name, text]];
  });
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Paths have their ids and queries already, so they are not those of the document. `documented.ts` types what returns. */
interface UntypedClient {
  request(method: string, path: string, init: object): Promise<{ readonly data?: string }>;
}

const client = createAccountClient({ baseUrl: '' }) as unknown as UntypedClient;

function parse(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    // A proxy between the browser and the server answered in its own form.
    return {};
  }
}

/**
 * Calls the account interface with the session cookie. Throws a `GatewayError` for every status from 400 on, and
 * `Unreachable` without an answer.
 */
async function call<Result>(method: string, path: string, options: CallOptions = {}): Promise<Result> {
  const { query, body, signal } = options;
  const isFile = body instanceof Blob;
  const { data = '' } = await client
    .request(method.toLowerCase(), withQuery(path, query), {
      credentials: 'same-origin',
      parseAs: 'text',
      ...(body !== undefined && { body }),
      ...(isFile && { headers: { 'content-type': 'text/csv' }, bodySerializer: (file: Blob) => file }),
      ...(signal !== undefined && { signal }),
    })
    .catch((error: unknown) => {
      if (isGatewayError(error) || signal?.aborted) throw error;
      throw new Unreachable('The server cannot be reached.', { cause: error });
    });
  return parse(data) as Result;
}

export const get = <Result>(path: string, query?: Query, signal?: AbortSignal) =>
  call<Result>('GET', path, { query, signal });
export const post = <Result>(path: string, body: object = {}, signal?: AbortSignal) =>
  call<Result>('POST', path, { body, signal });
export const patch = <Result>(path: string, body: object) => call<Result>('PATCH', path, { body });
export const remove = <Result>(path: string) => call<Result>('DELETE', path);
/** Sends a CSV file. */
export const upload = <Result>(path: string, query: Query, file: Blob) =>
  call<Result>('POST', path, { query, body: file });
