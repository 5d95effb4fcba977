import { createHash } from 'node:crypto';
import type { NeutralMessage, ToolResultPart } from '@gateway/contracts';

/**
 * Gives each call of the history an id of its own that the API takes, its result the same, and sorts results as their
 * calls. Ids of other vendors may be too long, hold other letters or repeat (`functions.search:0`), and APIs without ids
 * match results to calls by their order. The same history gets the same ids, so that its prompt stays cached.
 */
export function fitCalls(messages: readonly NeutralMessage[], callId: RegExp | undefined): readonly NeutralMessage[] {
  if (!messages.some(({ role }) => role === 'tool')) return messages;
  const calls = new CallIds(callId);
  const fitted: NeutralMessage[] = [];
  let results: ToolResultPart[] | undefined;
  for (const message of messages) {
    if (message.role !== 'tool') {
      results = undefined;
      fitted.push(message.role === 'assistant' ? withOwnIds(message, calls) : message);
      continue;
    }
    // Neighbouring messages of results answer one turn.
    if (results === undefined) {
      results = [];
      fitted.push({ ...message, content: results });
    }
    results.push(...message.content.map((result) => ({ ...result, id: calls.ofResult(result.id) })));
  }
  return fitted.map((message) =>
    message.role === 'tool' ? { ...message, content: calls.inOrder(message.content) } : message,
  );
}

type AssistantMessage = Extract<NeutralMessage, { role: 'assistant' }>;

const withOwnIds = (message: AssistantMessage, calls: CallIds): AssistantMessage => ({
  ...message,
  content: message.content.map((part) => (part.type === 'tool-call' ? { ...part, id: calls.ofCall(part.id) } : part)),
});

/** The ids of one history. */
class CallIds {
  /** Ids of the calls of each client's id. */
  readonly #sent = new Map<string, string[]>();
  /** How many of them have a result. */
  readonly #answered = new Map<string, number>();
  readonly #places = new Map<string, number>();

  constructor(private readonly accepted: RegExp | undefined) {}

  ofCall(id: string): string {
    const sent = this.#sent.get(id) ?? [];
    const isFirst = sent.length === 0;
    const own = isFirst && this.accepted?.test(id) !== false ? id : replacement(id, sent.length);
    if (isFirst) this.#sent.set(id, sent);
    sent.push(own);
    this.#places.set(own, this.#places.size);
    return own;
  }

  /** The oldest call of this id without a result, else the last one. A result without a call keeps its id. */
  ofResult(id: string): string {
    const sent = this.#sent.get(id);
    if (sent === undefined) return id;
    const answered = this.#answered.get(id) ?? 0;
    this.#answered.set(id, answered + 1);
    return sent[Math.min(answered, sent.length - 1)] ?? id;
  }

  inOrder(results: readonly ToolResultPart[]): readonly ToolResultPart[] {
    const placeOf = ({ id }: ToolResultPart): number => this.#places.get(id) ?? Number.MAX_SAFE_INTEGER;
    return results.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

const replacement = (id: string, repeats: number): string =>
  `call_${createHash('sha256').update(`${id} ${repeats}`).digest('base64url').slice(0, 24)}`;
