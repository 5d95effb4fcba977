import { checkWebhookUrl } from '../../http/webhook-address.js';

/** The normalised URL of the webhook. Throws a 400 for a URL that no webhook may be sent to, such as a private address. */
export const validateWebhookUrl = (text: string, allowInsecure: boolean): string =>
  checkWebhookUrl(text, 'webhook_url', allowInsecure);
