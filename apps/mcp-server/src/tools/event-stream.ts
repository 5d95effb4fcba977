import { failureOf } from '../failure-of.js';
import type { AnswerFacts } from '../gateway.js';
import type { JsonObject } from '../tool.js';

const COST = /^cost cost_usd=(\S+)(?: balance_usd=(\S+))?/;
const END = '[DONE]';

/** A stream of the gateway's, which tells the cost in a comment behind the answer to who asks for it. */
export class EventStream {
  #facts: AnswerFacts;

  constructor(
    private readonly bytes: AsyncIterable<Buffer>,
    facts: AnswerFacts,
  ) {
    this.#facts = facts;
  }

  /** With the cost, once the stream has ended. */
  get facts(): AnswerFacts {
    return this.#facts;
  }

  /** The JSON of each event. Throws a ToolFailure for one that tells an error. */
  async *events(): AsyncGenerator<JsonObject, void, void> {
    for await (const block of blocksOf(this.bytes)) {
      this.#hearCost(fieldOf(block, ':'));
      const data = fieldOf(block, 'data:');
      if (data === undefined || data === END) continue;
      const event = JSON.parse(data) as JsonObject;
      if (event.error !== undefined) throw failureOf(event, { requestId: this.#facts.request_id });
      yield event;
    }
  }

  #hearCost(comment: string | undefined): void {
    const [, cost, balance] = COST.exec(comment ?? '') ?? [];
    if (cost === undefined) return;
    this.#facts = { ...this.#facts, cost_usd: cost, ...(balance !== undefined && { balance_usd: balance }) };
  }
}

async function* blocksOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
  yield rest;
}

/** The lines of one field of an event, or of its comment. */
function fieldOf(block: string, field: 'data:' | ':'): string | undefined {
  const lines = block.split('\n').filter((line) => line.startsWith(field));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(field.length).trimStart()).join('\n');
}
