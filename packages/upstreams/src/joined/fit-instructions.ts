import { type Changes, type NeutralRequest, NO_CHANGES } from '@gateway/contracts';
import type { NeutralProtocol } from '../protocol.js';

interface FittedInstructions {
  readonly request: NeutralRequest;
  readonly changes: Changes;
}

/**
 * Sends the last of nothing but instructions as the user's message, where the API needs one. OpenAI's models respond to
 * instructions alone, so clients with one prompt may send it as `system`.
 */
export function fitInstructions(
  request: NeutralRequest,
  { needsUserMessage }: Pick<NeutralProtocol, 'needsUserMessage'>,
): FittedInstructions {
  const { messages } = request;
  const unchanged = { request, changes: NO_CHANGES };
  if (needsUserMessage !== true || messages.some(({ role }) => role !== 'system')) return unchanged;
  const at = messages.findLastIndex(({ content }) => content.some((part) => part.type === 'text' && part.text.trim()));
  const last = messages[at];
  if (last?.role !== 'system') return unchanged;
  return {
    request: { ...request, messages: messages.with(at, { ...last, role: 'user' }) },
    changes: { filled: { [`${last.path ?? 'messages'}.role`]: 'user' }, dropped: [] },
  };
}
