import { type Customer, createPng, type TestStack } from '@gateway/testing';
import { BATCH_LINE, TONE_WAV } from '../support/samples.js';
import type { ExampleRequest, Operation } from './document.js';

/** Values of `{name}` in examples: by name, or by `<operation>/<name>` where an operation needs one of its own. */
export type ExampleValues = Readonly<Record<string, string>>;

export const exampleValue = (values: ExampleValues, operation: string, name: string): string | undefined =>
  values[`${operation}/${name}`] ?? values[name];

/** The name of the credential of an operation that ends a session, or needs another person's. */
export const ownCredential = ({ id }: Pick<Operation, 'id'>): string => `${id}/credential`;

const filled = (text: string, values: ExampleValues, operation: string): string =>
  text.replaceAll(/\{([a-zA-Z]+)\}/g, (whole, name: string) => exampleValue(values, operation, name) ?? whole);

/** The files that forms of examples name. */
export const EXAMPLE_FILES: Readonly<Record<string, () => { readonly bytes: Buffer; readonly type: string }>> = {
  '@recording.wav': () => ({ bytes: Buffer.from(TONE_WAV, 'base64'), type: 'audio/wav' }),
  '@image.png': () => ({ bytes: createPng({ width: 1_024, height: 1_024 }), type: 'image/png' }),
  '@requests.jsonl': () => ({ bytes: Buffer.from(BATCH_LINE), type: 'application/jsonl' }),
};

function formOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    const file = EXAMPLE_FILES[String(value)]?.();
    if (file === undefined) form.append(name, String(value));
    else form.append(name, new Blob([new Uint8Array(file.bytes)], { type: file.type }), String(value).slice(1));
  }
  return form;
}

/** The credential of a security scheme, where an operation has none of its own among the values. */
export function credentialOf(scheme: string | undefined, customer: Customer, stack: TestStack): string | undefined {
  if (scheme === 'apiKey') return customer.apiKey;
  if (scheme === 'adminToken') return stack.system.adminToken;
  return scheme === undefined ? undefined : customer.token;
}

/** The path of an example with its parameters and query. */
function addressOf({ id, path }: Operation, request: ExampleRequest, values: ExampleValues): string {
  const own = Object.fromEntries(
    Object.entries(request.path ?? {}).map(([name, value]) => [name, filled(value, values, id)]),
  );
  const query = new URLSearchParams(request.query).toString();
  return `${filled(path, own, id)}${query === '' ? '' : `?${query}`}`;
}

function bodyOf({ body }: ExampleRequest, isForm: boolean, fill: (text: string) => string) {
  if (body === undefined || typeof body === 'string') return body;
  return isForm ? formOf(body) : fill(JSON.stringify(body));
}

/** The text of an answer; of one without an end, how it begins. */
export async function textOf(response: Response, { isEndless }: ExampleRequest): Promise<string> {
  if (isEndless !== true || response.body === null) return response.text();
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes('\ndata:') && text.endsWith('\n\n')) break;
  }
  return text;
}

/** Sends an example as its client would. */
export async function sendExample(
  baseUrl: string,
  operation: Operation,
  { request, values, credential }: { request: ExampleRequest; values: ExampleValues; credential: string | undefined },
): Promise<Response> {
  const isForm = operation.bodyType === 'multipart/form-data';
  const body = bodyOf(request, isForm, (text) => filled(text, values, operation.id));
  return fetch(`${baseUrl}${addressOf(operation, request, values)}`, {
    method: operation.method,
    headers: {
      ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      ...(typeof body === 'string' && operation.bodyType !== undefined && { 'content-type': operation.bodyType }),
      ...request.headers,
    },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(20_000),
  });
}
