import type { ChatModelTraits, NeutralMessage, NeutralRequest } from '@gateway/contracts';
import { unsupportedPart } from '../client-request/refuse-request.js';

type Part = NeutralMessage['content'][number];

/** Throws a GatewayError (400) that names the first part of a kind that the model does not take. */
export function checkMedia({ messages }: NeutralRequest, { inputs }: ChatModelTraits): void {
  const check = (part: Part): void => {
    if (part.type === 'tool-result') for (const inside of part.content) check(inside);
    else if (part.type === 'media' && !inputs.includes(part.media)) throw unsupportedPart(part.clientType, part.path);
  };
  for (const { content } of messages) for (const part of content) check(part);
}
