import { DEFAULT_WAIT_SECONDS, type VideoGenerationRequest, videoWaitQuery } from '@gateway/contracts';
import { checkedQuery } from '@gateway/intake';

/** The milliseconds that the client waits for its task; undefined if it does not wait. The body overrides the query. Throws a 400. */
export function parseWait(
  { wait, wait_timeout }: Pick<VideoGenerationRequest, 'wait' | 'wait_timeout'>,
  query: unknown,
): number | undefined {
  const asked = checkedQuery(videoWaitQuery, query);
  if ((wait ?? asked.wait) !== true) return undefined;
  return (wait_timeout ?? asked.wait_timeout ?? DEFAULT_WAIT_SECONDS) * 1_000;
}
