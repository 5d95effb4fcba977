/** What to send for a request that is refused in any case: the refusal with which `check` rejects, or else its own error. */
export const refusalOf = (check: Promise<void>, own: unknown): Promise<unknown> =>
  check.then(
    () => own,
    (refusal: unknown) => refusal,
  );
