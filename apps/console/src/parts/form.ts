import type { FormEvent } from 'react';
import { isGatewayError } from '../api/failures.js';
import { serverSays } from '../api/server-words.js';
import { useExclusiveMutation } from './use-exclusive-mutation.js';

/** What a form does when its button or Enter submits it: the browser loads no other page. */
export const submitting =
  (send: () => void) =>
  (event: FormEvent): void => {
    event.preventDefault();
    send();
  };

/** Sends a form. `problemOf` gives what the server says of one field; `other` is a refusal that names none of `fields`. */
export function useForm<Input = void, Result = unknown>(
  fields: readonly string[],
  send: (input: Input) => Promise<Result>,
  onDone: (result: Result) => void | Promise<void>,
) {
  const mutation = useExclusiveMutation({ mutationFn: send, onSuccess: onDone });
  const { error } = mutation;
  const param = isGatewayError(error) ? error.param : null;
  const named = fields.find(
    (field) => param === field || param?.startsWith(`${field}[`) || param?.startsWith(`${field}.`),
  );
  const message = isGatewayError(error) ? serverSays(error).replace(/^[\w.[\]]+: /, '') : undefined;
  return {
    send: (input: Input) => mutation.mutate(input),
    isBusy: mutation.isPending,
    problemOf: (field: string): string | undefined => (field === named ? message : undefined),
    error,
    other: named === undefined ? error : null,
  };
}
