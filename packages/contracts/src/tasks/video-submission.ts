import { z } from 'zod';

/**
 * The body of a video ticket, from the edge to the worker that claims it: the client's validated request.
 * The worker writes the billing fields into `parameters` (or `input`) under the model's field names.
 */
export const videoSubmission = z.object({
  schemaVersion: z.literal(1),
  taskId: z.string(),
  /** Seconds, an integer: the hold covers them, and the charge never exceeds them. */
  durationSeconds: z.number().int().positive(),
  resolution: z.string(),
  aspectRatio: z.string(),
  /** Sent to the upstream unchanged. */
  input: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()),
  /** The price unit of one second of this task. */
  unit: z.string(),
  webhookUrl: z.string().optional(),
  /** How long its files are kept. Absent: as long as those of its account. */
  retainSeconds: z.number().int().positive().optional(),
  /** The only channel that can run the task: the one that stores its draft. */
  channelId: z.string().optional(),
  /** From `Idempotency-Key`: unique in the database, so that it holds even if Redis loses it. */
  idempotency: z.object({ key: z.string(), fingerprint: z.string() }).optional(),
});

export type VideoSubmission = z.infer<typeof videoSubmission>;
