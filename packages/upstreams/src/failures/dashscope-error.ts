/** What one DashScope error says, in whichever of its envelopes it came. */
export interface DashScopeError {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

/** Codes, native and compatible, that mean a refused, unpaid or unentitled credential, whatever the status. */
const CREDENTIAL_CODES: ReadonlySet<string> = new Set([
  'Arrearage',
  'arrearage',
  'InvalidApiKey',
  'invalid_api_key',
  'NOT AUTHORIZED',
  'ModelNotFound',
  'model_not_found',
  'model_not_supported',
  'WorkSpaceNotFound',
  'AllocationQuota.FreeTierOnly',
  'CommodityNotPurchased',
  'PrepaidBillOverdue',
  'PostpaidBillOverdue',
]);

const CLIENT_FAULT =
  /^(InvalidParameter|invalid_parameter|invalid_request|invalid_value|InvalidURL|InvalidFile|InvalidImage|BadRequest|DataInspection|data_inspection|IPInfringement|InternalError\.Algo\.InvalidParameter)/i;
const THROTTLING = /^(Throttling|limit_|LimitRequests|insufficient_quota)/i;
const OVERLOAD = /^(ModelUnavailable|ModelServingError)/i;
const FREE_QUOTA = /free (allocated )?quota|free tier/i;

/**
 * `insufficient_quota` is this vendor's compatible name of `Throttling.AllocationQuota`, a limit on tokens each minute;
 * only the free tier's end is final.
 */
export const isAboutDashScopeCredential = ({ code, message }: DashScopeError): boolean =>
  CREDENTIAL_CODES.has(code) || (THROTTLING.test(code) && FREE_QUOTA.test(message));

/** The HTTP status that an error inside an answer would have had. Codes: alibabacloud.com/help/en/model-studio/error-code. */
export function statusOfDashScopeError({ code, type }: DashScopeError): number {
  const word = code || type;
  if (CLIENT_FAULT.test(word)) return 400;
  if (THROTTLING.test(word)) return 429;
  return OVERLOAD.test(word) ? 503 : 500;
}
