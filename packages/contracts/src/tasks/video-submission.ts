import { z } from 'zod';

/**
 * What the edge hands to the worker that claims a video ticket: the client's request, valid, with the billing fields
 * written into `parameters` (or `input`) by the model's own field names.
 */
export const videoSubmission = z.object({
  schemaVersion: z.literal(1),
  taskId: z.string(),
  /** Whole seconds that are held and, at most, charged. */
  durationSeconds: z.number().int().positive(),
  resolution: z.string(),
  aspectRatio: z.string(),
  /** Goes to the upstream as it is. */
  input: z.record(z.string(), z.unknown()),
  parameters: z.record(z.string(), z.unknown()),
  /** The unit of the model's price that one second of this task counts as. */
  unit: z.string(),
  webhookUrl: z.string().optional(),
  /** The only channel that can make it: the one that has its draft. */
  channelId: z.string().optional(),
  /** Of `Idempotency-Key`: the row is unique by it, whatever becomes of Redis. */
  idempotency: z.object({ key: z.string(), fingerprint: z.string() }).optional(),
});

export type VideoSubmission = z.infer<typeof videoSubmission>;
