import { Webhook } from 'standardwebhooks';

/** The headers of Standard Webhooks: the event's id, this attempt's time, and a signature with each live secret. */
export function signWebhook(
  eventId: string,
  body: string,
  secrets: readonly string[],
  now: Date,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': Math.floor(now.getTime() / 1_000).toString(),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, now, body)).join(' '),
  };
}
