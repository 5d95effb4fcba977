type Fields = Readonly<Record<string, unknown>>;

/** A message, or the delta of a chunk. */
interface Called extends Fields {
  readonly tool_calls?: readonly { readonly index?: number; readonly function?: object }[];
}

interface Choice extends Fields {
  readonly message?: Called;
  readonly delta?: Called;
  readonly finish_reason?: string | null;
}

/** A `chat.completion`, or one of its chunks. An event of an error has no choices. */
interface ChatObject extends Fields {
  readonly choices?: readonly Choice[];
}

/** A complete answer for a client that offered functions, the older form of tools: with a `function_call`. */
export const functionCompletionOf = (completion: unknown): Uint8Array =>
  Buffer.from(JSON.stringify(inOlderForm(completion as ChatObject)));

/** The same of a chunk. The older form has one call, so a delta of a further one is left out. */
export const functionChunkOf = (chunk: unknown): string =>
  `data: ${JSON.stringify(inOlderForm(chunk as ChatObject))}\n\n`;

function inOlderForm({ choices, ...head }: ChatObject): Fields {
  return choices === undefined ? head : { ...head, choices: choices.map(olderChoice) };
}

function olderChoice({ message, delta, finish_reason: finish, ...choice }: Choice): Choice {
  return {
    ...choice,
    ...(message !== undefined && { message: olderCall(message) }),
    ...(delta !== undefined && { delta: olderCall(delta) }),
    ...(finish !== undefined && { finish_reason: finish === 'tool_calls' ? 'function_call' : finish }),
  };
}

function olderCall({ tool_calls: calls, ...message }: Called): Called {
  const first = calls?.find(({ index = 0 }) => index === 0)?.function;
  return first === undefined ? message : { ...message, function_call: first };
}
