import { GatewayError } from '@gateway/contracts';
import { checkPublicUrl } from '@gateway/http';

/**
 * The normalised URL of a webhook. `param`: the field or header that has it. Throws a 400 for a URL that no webhook may be
 * sent to, such as a private address.
 */
export function checkWebhookUrl(text: string, param: string, allowInsecure: boolean): string {
  const check = checkPublicUrl(text, { allowInsecure });
  if ('url' in check) return check.url;
  throw new GatewayError('invalid_request', `'${param}': ${check.problem}.`, { param });
}
