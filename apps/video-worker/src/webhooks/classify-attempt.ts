import { ADDRESS_REFUSED, type HttpFailure } from '@gateway/http';

/** The result of an attempt. `reason` labels metrics, so its set is small; `error` is shown to the customer. */
export interface AttemptResult {
  readonly status: number | null;
  readonly reason: string;
  readonly error: string | null;
  readonly retryAfter: string | undefined;
  readonly responseBody: string | null;
}

const NAME_CODES = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'EAI_AGAIN',
  'EAI_NODATA',
  'EBADNAME',
  'EBADRESP',
]);
const TLS_CODE = /TLS|SSL|CERT|SIGNATURE|EPROTO/;

const GONE = 410;

/** The receiver accepted the delivery. */
export const isDelivered = (status: number | null): boolean => status !== null && status >= 200 && status < 300;
/** The receiver refuses further deliveries. */
export const isGone = (status: number | null): boolean => status === GONE;

/** Classifies a response by its status. Redirects are not followed, so they count as failures. */
export function classifyStatus(status: number): Pick<AttemptResult, 'reason' | 'error'> {
  if (isDelivered(status)) return { reason: 'none', error: null };
  if (isGone(status)) return { reason: 'gone', error: 'gone' };
  if (status >= 300 && status < 400) return { reason: 'redirect', error: 'redirect_not_followed' };
  return { reason: status >= 500 ? 'server_error' : 'client_error', error: 'status' };
}

function reasonOf({ code, isTimeout, kind }: HttpFailure): string {
  if (code === ADDRESS_REFUSED) return 'address_refused';
  if (isTimeout) return 'timeout';
  if (NAME_CODES.has(code)) return 'name_not_found';
  if (TLS_CODE.test(code)) return 'tls';
  return kind === 'connect' ? 'not_connected' : 'connection_broken';
}

/** The address can never be called. */
export const UNUSABLE: AttemptResult = {
  status: null,
  reason: 'address_unusable',
  error: 'address_unusable',
  retryAfter: undefined,
  responseBody: null,
};

/** The secret cannot be read, so the delivery cannot be signed: no receiver would trust it. */
export const UNSIGNED: AttemptResult = { ...UNUSABLE, reason: 'not_signed', error: 'not_signed' };

/** Classifies a call without a response. The error names the cause and no address. */
export function classifyHttpFailure(failure: HttpFailure): AttemptResult {
  const reason = reasonOf(failure);
  const hasCause = reason === 'tls' || reason === 'name_not_found' || reason === 'not_connected';
  const error = hasCause ? `${reason}: ${failure.code}` : reason;
  return { status: null, reason, error, retryAfter: undefined, responseBody: null };
}
