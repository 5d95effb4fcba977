import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';
import { usesGoogleFormat } from '../../http/google-routes.js';

/** Google's clients expect batches of another form, and read an empty list from OpenAI's. Throws a 400. */
export function refuseGoogleForm(http: Pick<FastifyRequest, 'url' | 'headers'>): void {
  if (!usesGoogleFormat(http)) return;
  throw new GatewayError(
    'invalid_request',
    "Batches are served in OpenAI's form, and below /v1/messages/batches in Anthropic's. Use a client library of one of them.",
  );
}
