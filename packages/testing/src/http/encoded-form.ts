import type { RawRequest } from './open-response.js';

/** A multipart body as it is sent; each call uses a new random boundary. */
export async function encodedForm(form: FormData): Promise<Required<Pick<RawRequest, 'headers' | 'body'>>> {
  const encoded = new Response(form);
  return {
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}
