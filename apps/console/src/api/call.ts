import { ApiError, Unreachable } from './api-error.js';

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  readonly query?: Query | undefined;
  /** A file is sent as CSV, anything else as JSON. */
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `/account/requests?limit=50`. Leaves out what is undefined, null or empty. */
export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    // A proxy between the browser and the server answered in its own form.
    return {};
  }
}

/**
 * Calls the account interface with the session cookie. Throws an `ApiError` for every status from 400 on, and
 * `Unreachable` without an answer.
 */
async function call<Result>(method: string, path: string, options: CallOptions = {}): Promise<Result> {
  const { query, body, signal } = options;
  const response = await fetch(withQuery(path, query), {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'content-type': body instanceof Blob ? 'text/csv' : 'application/json' },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Unreachable('The server cannot be reached.', { cause: error });
  });
  const answer = await bodyOf(response);
  if (!response.ok) throw new ApiError(response.status, answer as object, response.headers.get('x-request-id'));
  return answer as Result;
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
