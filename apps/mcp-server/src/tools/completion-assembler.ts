import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatFinishReason,
  ChatToolCall,
  ChatUsage,
} from '@gateway/contracts';
import type { JsonObject } from '../tool.js';
import type { StreamAssembler } from './collect-stream.js';
import { ReasoningAssembler } from './reasoning-assembler.js';

type Head = Pick<ChatCompletion, 'id' | 'created' | 'model'>;
type Delta = ChatCompletionChunk['choices'][number]['delta'];

const append = (text: string | null, more: string | null | undefined): string | null =>
  more == null ? text : (text ?? '') + more;

/** Assembles a chat completion from its chunks. */
export class CompletionAssembler implements StreamAssembler<ChatCompletion> {
  #head: Head | undefined;
  #content: string | null = null;
  #refusal: string | null = null;
  #reasoning: string | null = null;
  readonly #thoughts = new ReasoningAssembler();
  readonly #toolCalls: { id: string; name: string; arguments: string }[] = [];
  #finishReason: ChatFinishReason | undefined;
  #usage: ChatUsage | undefined;

  add(event: JsonObject): string {
    const chunk = event as unknown as ChatCompletionChunk;
    this.#head ??= { id: chunk.id, created: chunk.created, model: chunk.model };
    this.#usage = chunk.usage ?? this.#usage;
    const [choice] = chunk.choices ?? [];
    if (choice === undefined) return '';
    this.#finishReason = choice.finish_reason ?? this.#finishReason;
    this.#addDelta(choice.delta);
    return choice.delta.content ?? '';
  }

  result(): ChatCompletion | undefined {
    if (this.#head === undefined || this.#finishReason === undefined || this.#usage === undefined) return undefined;
    const toolCalls = this.#toolCalls.map(
      ({ id, ...named }): ChatToolCall => ({ id, type: 'function', function: named }),
    );
    const message = {
      role: 'assistant',
      content: this.#content,
      refusal: this.#refusal,
      ...(this.#reasoning !== null && { reasoning_content: this.#reasoning }),
      ...this.#thoughts.result(),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
    } as const;
    const choices = [{ index: 0, message, logprobs: null, finish_reason: this.#finishReason }];
    return { ...this.#head, object: 'chat.completion', choices, usage: this.#usage };
  }

  #addDelta(delta: Delta): void {
    this.#content = append(this.#content, delta.content);
    this.#refusal = append(this.#refusal, delta.refusal);
    this.#reasoning = append(this.#reasoning, delta.reasoning_content);
    this.#thoughts.add(delta.reasoning_details ?? []);
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      this.#toolCalls[index] ??= { id: id ?? '', name: '', arguments: '' };
      const known = this.#toolCalls[index];
      known.name += called.name ?? '';
      known.arguments += called.arguments;
    }
  }
}
