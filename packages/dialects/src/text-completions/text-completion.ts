interface Choice {
  readonly message?: { readonly content?: string | null };
  readonly delta?: { readonly content?: string | null };
  readonly finish_reason?: string | null;
}

/** A `chat.completion`, or one of its chunks. */
interface ChatObject {
  readonly id?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices?: readonly Choice[];
  readonly usage?: object | null;
}

const headOf = ({ id = '', created, model }: ChatObject) => ({
  id: `cmpl-${id.replace(/^chatcmpl-/, '')}`,
  object: 'text_completion',
  created,
  model,
});

const choiceOf = (text: string, finish: string | null) => ({ text, index: 0, logprobs: null, finish_reason: finish });

/** A complete answer of chat as a text completion: its text, without its reasoning. */
export function textCompletionOf(completion: unknown): Uint8Array {
  const chat = completion as ChatObject;
  const [{ message, finish_reason: finish = 'stop' } = {}] = chat.choices ?? [];
  const choices = [choiceOf(message?.content ?? '', finish)];
  return Buffer.from(JSON.stringify({ ...headOf(chat), choices, usage: chat.usage }));
}

/** One chunk of chat as one of a text completion. Undefined if it has neither text, nor an end, nor counts. */
export function textChunkOf(chunk: unknown): string | undefined {
  const chat = chunk as ChatObject;
  const [choice] = chat.choices ?? [];
  const text = choice?.delta?.content ?? '';
  const finish = choice?.finish_reason ?? null;
  if (choice !== undefined && text === '' && finish === null) return undefined;
  const choices = choice === undefined ? [] : [choiceOf(text, finish)];
  return `data: ${JSON.stringify({ ...headOf(chat), choices, ...('usage' in chat && { usage: chat.usage }) })}\n\n`;
}
