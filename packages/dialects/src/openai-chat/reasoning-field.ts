type Fields = Readonly<Record<string, unknown>>;

interface Choice extends Fields {
  readonly message?: Fields;
  readonly delta?: Fields;
}

/** A `chat.completion`, or one of its chunks. An event of an error has no choices. */
interface ChatObject extends Fields {
  readonly choices?: readonly Choice[];
}

/** A complete answer for a client of OpenRouter's form, which reads `reasoning` instead of `reasoning_content`. */
export const reasoningCompletionOf = (completion: unknown): Uint8Array =>
  Buffer.from(JSON.stringify(withReasoning(completion as ChatObject)));

/** The same of a chunk. */
export const reasoningChunkOf = (chunk: unknown): string =>
  `data: ${JSON.stringify(withReasoning(chunk as ChatObject))}\n\n`;

function withReasoning({ choices, ...head }: ChatObject): Fields {
  return choices === undefined ? head : { ...head, choices: choices.map(choiceWithReasoning) };
}

const choiceWithReasoning = ({ message, delta, ...choice }: Choice): Choice => ({
  ...choice,
  ...(message !== undefined && { message: inBothFields(message) }),
  ...(delta !== undefined && { delta: inBothFields(delta) }),
});

/** Both stay: other clients of this form read the first one. */
const inBothFields = (message: Fields): Fields =>
  typeof message.reasoning_content === 'string' ? { ...message, reasoning: message.reasoning_content } : message;
