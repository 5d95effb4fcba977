import type { Exchange } from '../bench/exchange.js';
import type { ChatAnswer, Turn } from './conversation.js';
import type { ChatDraft } from './draft.js';

/**
 * What an earlier request adds to the conversation. A failed one adds nothing, so that it can be sent again. A part of an
 * answer is sent back as text, without calls: its own form may lack its end.
 */
export function turnOf({
  draft,
  output,
  state,
}: Pick<Exchange<ChatDraft, ChatAnswer>, 'draft' | 'output' | 'state'>): readonly Turn[] {
  if (state === 'succeeded') return [{ input: draft, answer: output, dialect: draft.dialect }];
  if (state === 'failed' || output.text === '') return [];
  return [{ input: draft, answer: { ...output, calls: [], native: [] }, dialect: 'chat.completions' }];
}
