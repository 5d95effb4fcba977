import { type Changes, type NeutralMessage, type NeutralRequest, NO_CHANGES } from '@gateway/contracts';
import type { NeutralProtocol } from '../protocol.js';

interface FittedInstructions {
  readonly request: NeutralRequest;
  readonly changes: Changes;
}

const isBlank = ({ content }: NeutralMessage): boolean =>
  content.every((part) => part.type === 'text' && part.text.trim() === '');

/**
 * Sends the last of nothing but instructions as the user's message, where the API needs one. OpenAI's models respond to
 * instructions alone, so clients with one prompt may send it as `system`, some beside an empty message of the user.
 */
export function fitInstructions(
  request: NeutralRequest,
  { needsUserMessage }: Pick<NeutralProtocol, 'needsUserMessage'>,
): FittedInstructions {
  const { messages } = request;
  const unchanged = { request, changes: NO_CHANGES };
  if (needsUserMessage !== true || messages.some((one) => one.role !== 'system' && !isBlank(one))) return unchanged;
  const last = messages.findLast((one) => !isBlank(one));
  if (last?.role !== 'system') return unchanged;
  const sent = messages.filter((one) => one.role === 'system');
  return {
    request: { ...request, messages: sent.map((one) => (one === last ? { ...last, role: 'user' } : one)) },
    changes: { filled: { [`${last.path ?? 'messages'}.role`]: 'user' }, dropped: [] },
  };
}
