import { type AccountFault, byCode, faultOfCode } from './account-fault.js';

/** Fields of one DashScope error, native or OpenAI-compatible. */
export interface DashScopeError {
  readonly code: string;
  readonly type: string;
  readonly message: string;
}

/** Codes about the gateway's account, native and compatible, with any status. */
const ACCOUNT_CODES = {
  Arrearage: 'spent',
  arrearage: 'spent',
  'AllocationQuota.FreeTierOnly': 'spent',
  PrepaidBillOverdue: 'spent',
  PostpaidBillOverdue: 'spent',
  CommodityNotPurchased: 'credential',
  InvalidApiKey: 'credential',
  invalid_api_key: 'credential',
  'NOT AUTHORIZED': 'credential',
  WorkSpaceNotFound: 'credential',
  ModelNotFound: 'model',
  model_not_found: 'model',
  model_not_supported: 'model',
} as const;

const CLIENT_FAULT =
  /^(InvalidParameter|invalid_parameter|invalid_request|invalid_value|InvalidURL|InvalidFile|InvalidImage|BadRequest|DataInspection|data_inspection|IPInfringement|InternalError\.Algo\.InvalidParameter)/i;
const THROTTLING = /^(Throttling|limit_|LimitRequests|insufficient_quota)/i;
const OVERLOAD = /^(ModelUnavailable|ModelServingError)/i;
const FREE_QUOTA = /free (allocated )?quota|free tier/i;

/**
 * `insufficient_quota` is the compatible name of `Throttling.AllocationQuota`, a limit on tokens per minute. Only the
 * end of the free tier is final.
 */
export const dashScopeAccountFault = ({ code, message }: DashScopeError): AccountFault | undefined =>
  faultOfCode(ACCOUNT_CODES, code) ?? (THROTTLING.test(code) && FREE_QUOTA.test(message) ? byCode('spent') : undefined);

/** HTTP status for an error inside a 200 response: alibabacloud.com/help/en/model-studio/error-code. */
export function statusOfDashScopeError({ code, type }: DashScopeError): number {
  const name = code || type;
  if (CLIENT_FAULT.test(name)) return 400;
  if (THROTTLING.test(name)) return 429;
  return OVERLOAD.test(name) ? 503 : 500;
}
