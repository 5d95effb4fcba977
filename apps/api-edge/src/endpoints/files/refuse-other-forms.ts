import { GatewayError } from '@gateway/contracts';
import type { FastifyRequest } from 'fastify';
import { usesGoogleFormat } from '../../http/google-routes.js';
import { usesMessagesFormat } from '../../http/messages-format.js';

/**
 * Clients of other formats expect records of another form, for files that their prompts name, and read an empty list from
 * OpenAI's. No prompt here takes a stored file, so the first call says it, not the last one. Throws a 400.
 */
export function refuseOtherForms(http: Pick<FastifyRequest, 'url' | 'headers'>): void {
  if (usesMessagesFormat(http)) {
    throw refused(
      "messages take no file ids. Send an image or a document in the message itself: a block with the source {type: 'base64', media_type, data}.",
    );
  }
  if (usesGoogleFormat(http)) {
    throw refused('contents take no files by address. Send the bytes in a part: {inlineData: {mimeType, data}}.');
  }
}

const refused = (advice: string): GatewayError =>
  new GatewayError('invalid_request', `Files are served in OpenAI's form only, and ${advice}`);
