/** Fields of one DashScope error, native or OpenAI-compatible. */
export interface DashScopeError {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

/** Codes of a refused, unpaid or unauthorised credential, native and compatible, with any status. */
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
 * `insufficient_quota` is the compatible name of `Throttling.AllocationQuota`, a limit on tokens per minute. Only the
 * end of the free tier is final.
 */
export const isAboutDashScopeCredential = ({ code, message }: DashScopeError): boolean =>
  CREDENTIAL_CODES.has(code) || (THROTTLING.test(code) && FREE_QUOTA.test(message));

/** HTTP status for an error inside a 200 response: alibabacloud.com/help/en/model-studio/error-code. */
export function statusOfDashScopeError({ code, type }: DashScopeError): number {
  const name = code || type;
  if (CLIENT_FAULT.test(name)) return 400;
  if (THROTTLING.test(name)) return 429;
  return OVERLOAD.test(name) ? 503 : 500;
}
