import { DEFAULT_WAIT_SECONDS, type VideoGenerationRequest, videoWaitQuery } from '@gateway/contracts';
import { describeIssue } from '@gateway/intake';

/** How long the client wants to wait for its task to end; undefined: it does not. What the body says goes before the query. */
export function waitWish(
  { wait, wait_timeout }: Pick<VideoGenerationRequest, 'wait' | 'wait_timeout'>,
  query: unknown,
): number | undefined {
  const parsed = videoWaitQuery.safeParse(query);
  if (!parsed.success) throw describeIssue(parsed.error);
  if ((wait ?? parsed.data.wait) !== true) return undefined;
  return (wait_timeout ?? parsed.data.wait_timeout ?? DEFAULT_WAIT_SECONDS) * 1_000;
}
