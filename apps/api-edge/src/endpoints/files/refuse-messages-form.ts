import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';
import { usesMessagesFormat } from '../../http/messages-format.js';

/**
 * Clients of the native messages format expect records of another form, for files that their messages name. No message
 * here takes a stored file, so the first call says it, not the last one. Throws a 400.
 */
export function refuseMessagesForm(http: Pick<FastifyRequest, 'headers'>): void {
  if (!usesMessagesFormat(http)) return;
  throw new GatewayError(
    'invalid_request',
    "Files are served in OpenAI's form only, and messages take no file ids. Send an image or a document in the message itself: a block with the source {type: 'base64', media_type, data}.",
  );
}
