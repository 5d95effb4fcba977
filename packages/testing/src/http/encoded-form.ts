import type { RawRequest } from './open-response.js';

/** A form as it goes over the wire, under a boundary that is never the same twice. */
export async function encodedForm(form: FormData): Promise<Required<Pick<RawRequest, 'headers' | 'body'>>> {
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}
