import { Webhook } from 'standardwebhooks';

/** Builds the headers of Standard Webhooks: event id, time of this attempt, one signature for each valid secret. */
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
