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

const choiceOf = (text: string, finish: string | null, index = 0) => ({
  text,
  index,
  logprobs: null,
  finish_reason: finish,
});

/** A complete answer of chat as a text completion: its text, without its reasoning. */
export const textCompletionOf = (completion: unknown): Uint8Array => textCompletionsOf([completion]);

/** Complete answers of several chats as the choices of one completion, with the sum of what each was billed. */
export function textCompletionsOf(completions: readonly unknown[]): Uint8Array {
  const chats = completions as readonly ChatObject[];
  const choices = chats.map(({ choices: [{ message, finish_reason: finish = 'stop' } = {}] = [] }, index) =>
    choiceOf(message?.content ?? '', finish, index),
  );
  const usage = chats.map((chat) => chat.usage).reduce(sumOf);
  return Buffer.from(JSON.stringify({ ...headOf(chats[0] ?? {}), choices, usage }));
}

type Counts = Readonly<Record<string, unknown>>;

/** Adds the numbers of two objects of the same form. */
function sumOf(one: object | null | undefined, other: object | null | undefined): object | null | undefined {
  if (one == null || other == null) return one ?? other;
  const sum: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = (one as Counts)[name];
    if (typeof value === 'number') sum[name] = value + (typeof before === 'number' ? before : 0);
    else if (typeof value === 'object') sum[name] = sumOf(before as object | null | undefined, value as object | null);
  }
  return sum;
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
