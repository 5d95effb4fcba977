type Fields = Readonly<Record<string, unknown>>;

interface Choice extends Fields {
  readonly message?: Fields;
  readonly delta?: Fields;
}

/** A `chat.completion`, or one of its chunks. An event of an error has no choices. */
interface ChatObject extends Fields {
  readonly choices?: readonly Choice[];
}

interface Changes<Message> {
  /** Of a message, or of the delta of a chunk. */
  readonly message: (message: Message) => Fields;
  /** Of the other fields of a choice. */
  readonly choice?: (choice: Fields) => Fields;
}

/** Writes answers and chunks of chat completions again, for clients that read another form of their messages. */
export function answerForm<Message extends Fields>({
  message: changed,
  choice: other = (fields) => fields,
}: Changes<Message>) {
  const ofChoice = ({ message, delta, ...fields }: Choice): Choice => ({
    ...other(fields),
    ...(message !== undefined && { message: changed(message as Message) }),
    ...(delta !== undefined && { delta: changed(delta as Message) }),
  });
  const written = (object: unknown): string => {
    const { choices, ...head } = object as ChatObject;
    return JSON.stringify(choices === undefined ? head : { ...head, choices: choices.map(ofChoice) });
  };
  return {
    whole: (completion: unknown): Uint8Array => Buffer.from(written(completion)),
    chunk: (chunk: unknown): string => `data: ${written(chunk)}\n\n`,
  };
}
