/*
 * A compaction stands for the part of a conversation before it. The vendor encrypts its own; one that another model wrote is
 * the gateway's, and holds the summary itself.
 */

/** Begins the content of every compaction of the gateway. */
export const COMPACTION_MARK = 'gwc1_';
const INTRODUCTION = 'Summary of the conversation so far, which continues below:';

/** The opaque content of a compaction of the gateway. */
export const packCompaction = (summary: string): string =>
  `${COMPACTION_MARK}${Buffer.from(summary, 'utf8').toString('base64url')}`;

/** The summary. Undefined for content of a vendor, or of no compaction. */
export const unpackCompaction = (content: unknown): string | undefined =>
  typeof content === 'string' && content.startsWith(COMPACTION_MARK)
    ? Buffer.from(content.slice(COMPACTION_MARK.length), 'base64url').toString('utf8')
    : undefined;

/** A summary as a prompt has it. */
export const compactionText = (summary: string): string => `${INTRODUCTION}\n\n${summary}`;

interface TypedItem {
  readonly type?: string | null | undefined;
}

const typeOf = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && 'type' in item ? item.type : undefined;

/** The items of a history without those that its newest compaction stands for. */
export function itemsSinceCompaction(items: readonly unknown[]): readonly unknown[] {
  const trigger = items.findLastIndex((item) => typeOf(item) === 'compaction_trigger');
  const answer = items.findIndex((item, at) => at > trigger && trigger !== -1 && typeOf(item) === 'compaction');
  return items.slice(Math.max(0, answer)).filter((item) => typeOf(item) !== 'compaction_trigger');
}

/** True if a request asks for a compaction of its input instead of an answer. */
export const asksForCompaction = (input: unknown): boolean =>
  Array.isArray(input) && (input.at(-1) as TypedItem | undefined)?.type === 'compaction_trigger';
