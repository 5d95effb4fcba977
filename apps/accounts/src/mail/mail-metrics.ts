import type { Metrics } from '@gateway/observability';

/** What an operator must know of the outbox. `readDelayMs`: the age of the oldest mail that is not sent. */
export const mailMetrics = (metrics: Metrics, readDelayMs: () => Promise<number>) => {
  metrics.gauge('gateway_mail_delay_seconds', 'Age of the oldest mail that is not sent', [], async (gauge) => {
    gauge.set((await readDelayMs()) / 1_000);
  });
  const mails = metrics.counter('gateway_mails_total', 'Attempts to send a mail, by outcome', ['outcome']);
  // An alert waits for its first increase.
  for (const outcome of ['failed', 'lost']) mails.inc({ outcome }, 0);
  return { mails };
};

export type MailMetrics = ReturnType<typeof mailMetrics>;
