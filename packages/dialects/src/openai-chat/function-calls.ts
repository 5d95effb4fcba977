import { answerForm } from './answer-form.js';

type Fields = Readonly<Record<string, unknown>>;

interface Called extends Fields {
  readonly tool_calls?: readonly { readonly index?: number; readonly function?: object }[];
}

/** The older form has one call, so a delta of a further one is left out. */
function olderCall({ tool_calls: calls, ...message }: Called): Fields {
  const first = calls?.find(({ index = 0 }) => index === 0)?.function;
  return first === undefined ? message : { ...message, function_call: first };
}

const olderFinish = ({ finish_reason: finish, ...choice }: Fields): Fields => ({
  ...choice,
  ...(finish !== undefined && { finish_reason: finish === 'tool_calls' ? 'function_call' : finish }),
});

/** Answers for a client that offered functions, the older form of tools: with a `function_call`. */
export const functionForm = answerForm<Called>({ message: olderCall, choice: olderFinish });
