import { GatewayError } from '@gateway/contracts';

const wrong = (expected: string): GatewayError =>
  new GatewayError('invalid_request', `'webhook_url': expected ${expected}.`, { param: 'webhook_url' });

/** An address that events may be sent to, by its shape; who it leads to is looked at when something is sent. */
export function checkWebhookUrl(text: string, allowsHttp: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !(url.protocol === 'https:' || (allowsHttp && url.protocol === 'http:'))) {
    throw wrong('an https URL');
  }
  if (url.username !== '' || url.password !== '') throw wrong('a URL without a user name and a password');
}
