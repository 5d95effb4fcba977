/**
 * Resolves as `work` does, or to the result of `onTimeout` after `timeoutMs`. `onTimeout` may throw to reject instead.
 * Late work continues; its rejection is ignored.
 */
export async function withTimeout<Result, Fallback>(
  work: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Fallback,
): Promise<Result | Fallback> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Fallback>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
