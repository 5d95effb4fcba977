import type { QuoteRequest } from '../../../api/quotes.js';

/** A file of a form. `type`: its media type. */
export interface FormFile {
  readonly file: string;
  readonly type: string;
  readonly bytes: Blob;
}

export type FormPart = readonly [name: string, value: string | FormFile];

/** A request of the public API, without the key. */
export interface ApiRequest {
  readonly method: 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: object } | { readonly form: readonly FormPart[] };
  /** `file`: the bytes of one, by the name to save it under. */
  readonly answer: 'json' | 'events' | { readonly file: string };
  /** The same request for `POST /account/quote`. */
  readonly quote: QuoteRequest;
}

/** Leaves out what is undefined: a body has no empty fields. */
export const given = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

/** A request with a JSON body, quoted by the same body. */
export const jsonRequest = (
  path: string,
  endpoint: string,
  json: Readonly<Record<string, unknown>>,
  answer: ApiRequest['answer'] = 'json',
): ApiRequest => ({ method: 'POST', path, body: { json }, answer, quote: { endpoint, body: json } });

const formOf = (parts: readonly FormPart[]): FormData => {
  const form = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value.bytes, value.file);
  }
  return form;
};

/** The arguments of `fetch`. */
export function fetchInit({ method, headers, body }: ApiRequest, key: string, signal: AbortSignal): RequestInit {
  const isJson = 'json' in body;
  return {
    method,
    signal,
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      ...(isJson && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isJson ? JSON.stringify(body.json) : formOf(body.form),
  };
}
