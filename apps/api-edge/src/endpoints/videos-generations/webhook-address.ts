import { GatewayError } from '@gateway/contracts';
import { checkPublicUrl } from '@gateway/http';

/** Where the task's end is told, as it is to be stored. Throws a 400 for what no webhook may be sent to. */
export function webhookAddress(text: string, allowInsecure: boolean): string {
  const check = checkPublicUrl(text, { allowInsecure });
  if ('url' in check) return check.url;
  throw new GatewayError('invalid_request', `'webhook_url': ${check.problem}.`, { param: 'webhook_url' });
}
