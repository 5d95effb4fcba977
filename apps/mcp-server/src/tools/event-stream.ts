import { createParser } from 'eventsource-parser';
import type { ResponseFacts } from '../gateway.js';
import type { JsonObject } from '../tool.js';
import { failureFromBody } from '../tool-failure.js';

const COST = /^cost cost_usd=(\S+)(?: balance_usd=(\S+))?/;
const END = '[DONE]';

/** Reads an event stream of the gateway. With `x-include-cost` its last comment reports the cost. */
export class EventStream {
  #facts: ResponseFacts;

  constructor(
    private readonly bytes: AsyncIterable<Buffer>,
    facts: ResponseFacts,
  ) {
    this.#facts = facts;
  }

  /** Includes the cost once the stream has ended. */
  get facts(): ResponseFacts {
    return this.#facts;
  }

  /** Yields the JSON of each event. Throws a ToolFailure for an event with an `error`. */
  async *events(): AsyncGenerator<JsonObject, void, void> {
    const decoder = new TextDecoder();
    let received: string[] = [];
    const parser = createParser({
      onEvent: ({ data }) => received.push(data),
      onComment: (comment) => this.#readCost(comment),
    });
    for await (const chunk of this.bytes) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      const complete = received;
      received = [];
      yield* this.#parse(complete);
    }
    // The parser drops a last event without its blank line.
    parser.feed('\n\n');
    yield* this.#parse(received);
  }

  *#parse(events: readonly string[]): Generator<JsonObject, void, void> {
    for (const data of events) {
      if (data === END) continue;
      const event = JSON.parse(data) as JsonObject;
      if (event.error !== undefined) throw failureFromBody(event, { requestId: this.#facts.request_id });
      yield event;
    }
  }

  #readCost(comment: string): void {
    const [, cost, balance] = COST.exec(comment) ?? [];
    if (cost === undefined) return;
    this.#facts = { ...this.#facts, cost_usd: cost, ...(balance !== undefined && { balance_usd: balance }) };
  }
}
