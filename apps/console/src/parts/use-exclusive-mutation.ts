import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

interface ExclusiveMutation<Result, Input> {
  readonly mutationFn: (input: Input) => Promise<Result>;
  readonly onSuccess?: (result: Result) => unknown;
  readonly onError?: (error: Error) => unknown;
}

/**
 * A mutation that does not begin again while it runs: two clicks within one frame come before the button shows that it
 * is busy.
 */
export function useExclusiveMutation<Result, Input = void>({
  mutationFn,
  ...callbacks
}: ExclusiveMutation<Result, Input>): UseMutationResult<Result, Error, Input> {
  const isRunning = useRef(false);
  const run = async (input: Input): Promise<Result> => {
    try {
      return await mutationFn(input);
    } finally {
      isRunning.current = false;
    }
  };
  const mutation = useMutation<Result, Error, Input>({ ...callbacks, mutationFn: run });
  const mutate: typeof mutation.mutate = (...given) => {
    if (isRunning.current) return;
    isRunning.current = true;
    mutation.mutate(...given);
  };
  return { ...mutation, mutate };
}
