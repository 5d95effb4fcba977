import type { AnswerFacts } from '../gateway.js';
import type { JsonObject, ToolCall } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';
import { EventStream } from './event-stream.js';

/** Puts an answer together from the events of its stream. */
export interface StreamAssembly<Whole> {
  /** Gives back the text that the event added, for who watches. */
  add(event: JsonObject): string;
  /** Undefined while the answer is not complete. */
  whole(): Whole | undefined;
}

export interface Streamed<Whole> {
  readonly answer: Whole;
  readonly facts: AnswerFacts;
}

/** Asks for a stream, tells its text as it comes, and gives back the whole answer as if it had been asked for at once. */
export async function followStream<Whole>(
  { gateway, progress }: ToolCall,
  path: string,
  body: JsonObject,
  assembly: StreamAssembly<Whole>,
): Promise<Streamed<Whole>> {
  const answer = await gateway.ask({ method: 'POST', path, json: body, headers: { 'x-include-cost': 'true' } });
  const stream = new EventStream(answer.body, answer.facts);
  let characters = 0;
  for await (const event of stream.events()) {
    const text = assembly.add(event);
    characters += text.length;
    if (text !== '') await progress?.(characters, text);
  }
  const whole = assembly.whole();
  if (whole !== undefined) return { answer: whole, facts: stream.facts };
  throw new ToolFailure('upstream_error', 'The answer broke off.', { requestId: answer.facts.request_id });
}
