import { Webhook } from 'standardwebhooks';
import type { webhooks } from './generated/accounts.js';

/** What a webhook delivers: `type`, `timestamp` and the `data` of its type. */
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post'] extends {
    readonly requestBody?: { readonly content: { readonly 'application/json': infer Body } };
  }
    ? Body & { readonly type: Type }
    : never;
}[keyof webhooks];

/** The three headers of Standard Webhooks, in lower case, as servers have them. */
export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/**
 * The event of a delivery whose signature fits the secret (`whsec_…`). `body` is the text as it came.
 * Throws standardwebhooks' `WebhookVerificationError` for a wrong signature, or a time more than five minutes away.
 */
export function readWebhook(secret: string, headers: WebhookHeaders, body: string): WebhookEvent {
  const own = NAMES.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name] as string]] : []));
  return new Webhook(secret).verify(body, Object.fromEntries(own) as Record<string, string>) as WebhookEvent;
}
