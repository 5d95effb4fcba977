import { type AnswerPart, packCompaction } from '@gateway/contracts';
import { itemId } from './output-items.js';

const textOf = (content: readonly AnswerPart[]): string =>
  content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();

/** The summary as the one item of an output. Empty without a text: a compaction of nothing would lose the conversation. */
export const compactionOf = (content: readonly AnswerPart[], requestId: string): readonly object[] => {
  const summary = textOf(content);
  if (summary === '') return [];
  return [{ id: itemId('cmp', requestId, 0), type: 'compaction', encrypted_content: packCompaction(summary) }];
};
