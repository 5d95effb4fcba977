import { renderWebhookBody } from '@gateway/contracts';
import { checkPublicUrl, type HttpPools, type HttpResponse, isHttpFailure, type UrlPolicy } from '@gateway/http';
import type { ClaimedDelivery } from '@gateway/postgres';
import { type AttemptResult, classifyUpstreamFailure, judgeStatus, UNUSABLE } from './judge-attempt.js';
import { signWebhook } from './sign-webhook.js';

const USER_AGENT = 'unified-model-gateway-webhooks/1';
const MOST_CHARACTERS = 4_000;
const MOST_BYTES = 4 * MOST_CHARACTERS;
/** Between two pieces of an answer's body. */
const BODY_PAUSE_MS = 2_000;

export interface SendOptions extends UrlPolicy {
  readonly pools: HttpPools;
  readonly secrets: readonly string[];
  /** For all of it: connecting, sending, the answer and its body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One attempt. Throws only if it was broken off by the signal. */
export async function sendWebhook(
  { url, event }: Pick<ClaimedDelivery, 'url' | 'event'>,
  { pools, secrets, timeoutMs, signal, allowInsecure }: SendOptions,
): Promise<AttemptResult> {
  // Also what was stored by other rules than those of today.
  const address = checkPublicUrl(url, { allowInsecure });
  if ('problem' in address) return UNUSABLE;
  const body = renderWebhookBody(event);
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'accept-encoding': 'identity',
    ...signWebhook(event.id, body, secrets, new Date()),
  };
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const options = { signal: deadline, headersTimeoutMs: timeoutMs, bodyTimeoutMs: BODY_PAUSE_MS };
    const answer = await pools.send({ method: 'POST', url: address.url, headers, body }, options);
    const responseBody = await beginningOf(answer);
    const { status } = answer;
    return { status, ...judgeStatus(status), retryAfter: answer.headers['retry-after'], responseBody };
  } catch (error) {
    signal.throwIfAborted();
    if (!isHttpFailure(error)) throw error;
    return classifyUpstreamFailure(error);
  }
}

/** The first characters of an answer, for the log. A body that is long, slow or broken decides nothing: the status has come. */
async function beginningOf({ body }: HttpResponse): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= MOST_BYTES) break;
    }
  } catch (error) {
    if (!isHttpFailure(error)) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(pieces)).slice(0, MOST_CHARACTERS);
}
