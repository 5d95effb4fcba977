import type { AbortContract, Changes, UnitCounts, Usage } from '@gateway/contracts';

import type { z } from 'zod';
import { describeIssue } from '../describe-issue.js';

/** What admission needs of a valid image request. */
export interface ValidImageRequest {
  /** All images that were requested, at their highest price. */
  readonly worstCase: Usage;
  readonly isStream: boolean;
  readonly changes?: Changes;
  /** What happens when the client leaves. */
  readonly abortContract: AbortContract;
}

/** Parses a body by its family's schema. Throws a 400 that names the field. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: object): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  return parsed.data;
}

export const estimatedUsage = (units: UnitCounts, inputTokensTotal = 0): Usage => ({
  units,
  inputTokensTotal,
  isEstimated: true,
});
