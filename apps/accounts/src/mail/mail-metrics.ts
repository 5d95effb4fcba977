import type { Metrics } from '@gateway/observability';

/** What an operator must know of the outbox. `readDelayMs`: the age of the oldest mail that is not sent. */
export const mailMetrics = (metrics: Metrics, readDelayMs: () => Promise<number>) => {
  metrics.gauge('gateway_mail_delay_seconds', 'Age of the oldest mail that is not sent', [], async (gauge) => {
    gauge.set((await readDelayMs()) / 1_000);
  });
  return {
    mails: metrics.counter('gateway_mails_total', 'Attempts to send a mail, by outcome', ['outcome']),
  };
};

export type MailMetrics = ReturnType<typeof mailMetrics>;
