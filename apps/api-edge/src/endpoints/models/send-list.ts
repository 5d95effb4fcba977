import { chooseEncoding, type EncodedBody } from '@gateway/serving';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends a list of models, compressed if the client accepts it: it is the largest response without a model. */
export async function sendList(body: EncodedBody, { headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const encoding = chooseEncoding(headers['accept-encoding']);
  const bytes = await body.in(encoding);
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('vary', 'accept-encoding, anthropic-version, x-goog-api-key')
    .headers(encoding === 'identity' ? {} : { 'content-encoding': encoding })
    .send(bytes);
}
