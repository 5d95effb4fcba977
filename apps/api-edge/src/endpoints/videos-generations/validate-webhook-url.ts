import { GatewayError } from '@gateway/contracts';
import { checkPublicUrl } from '@gateway/http';

/** The normalised URL of the webhook. Throws a 400 for a URL that no webhook may be sent to, such as a private address. */
export function validateWebhookUrl(text: string, allowInsecure: boolean): string {
  const check = checkPublicUrl(text, { allowInsecure });
  if ('url' in check) return check.url;
  throw new GatewayError('invalid_request', `'webhook_url': ${check.problem}.`, { param: 'webhook_url' });
}
