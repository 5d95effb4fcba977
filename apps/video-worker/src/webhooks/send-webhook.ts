import { renderWebhookBody } from '@gateway/contracts';
import { checkPublicUrl, type HttpPools, type HttpResponse, isHttpFailure, type UrlPolicy } from '@gateway/http';
import type { ClaimedDelivery } from '@gateway/postgres';
import { type AttemptResult, classifyHttpFailure, classifyStatus, UNUSABLE } from './classify-attempt.js';
import { signWebhook } from './sign-webhook.js';

const USER_AGENT = 'unified-model-gateway-webhooks/1';
const MAX_CHARACTERS = 4_000;
const MAX_BYTES = 4 * MAX_CHARACTERS;
/** Between two chunks of the response body. */
const BODY_TIMEOUT_MS = 2_000;

export interface SendOptions extends UrlPolicy {
  readonly pools: HttpPools;
  readonly secrets: readonly string[];
  /** Covers connecting, sending, the response and its body. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Makes one attempt. Throws only if the signal aborts it. */
export async function sendWebhook(
  { url, event }: Pick<ClaimedDelivery, 'url' | 'event'>,
  { pools, secrets, timeoutMs, signal, allowInsecure }: SendOptions,
): Promise<AttemptResult> {
  // Again: the URL may have been stored under older rules.
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
    const options = { signal: deadline, headersTimeoutMs: timeoutMs, bodyTimeoutMs: BODY_TIMEOUT_MS };
    const response = await pools.send({ method: 'POST', url: address.url, headers, body }, options);
    const responseBody = await readBeginning(response);
    const { status } = response;
    return { status, ...classifyStatus(status), retryAfter: response.headers['retry-after'], responseBody };
  } catch (error) {
    signal.throwIfAborted();
    if (!isHttpFailure(error)) throw error;
    return classifyHttpFailure(error);
  }
}

/** Reads the first characters of a response for the delivery log. A long, slow or broken body does not matter: the status has arrived. */
async function readBeginning({ body }: HttpResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_BYTES) break;
    }
  } catch (error) {
    if (!isHttpFailure(error)) throw error;
  }
  return new TextDecoder().decode(Buffer.concat(chunks)).slice(0, MAX_CHARACTERS);
}
