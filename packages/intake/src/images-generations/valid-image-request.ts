import { GatewayError, truncateForError, type UnitCounts, type Usage } from '@gateway/contracts';
import type { z } from 'zod';
import { describeIssue } from '../describe-issue.js';

/** What the edge has to know of a valid image request. */
export interface ValidImageRequest {
  /** All images that were asked for, at their dearest. */
  readonly worstCase: Usage;
  readonly isStream: boolean;
}

/** Parses a body by its family's schema. Throws a 400 that names the field. */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: object): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw describeIssue(parsed.error);
  return parsed.data;
}

export const atMost = (units: UnitCounts, inputTokensTotal = 0): Usage => ({
  units,
  inputTokensTotal,
  isEstimated: true,
});

/** A 400 for a value that this model does not take, with what it takes. */
export const unsupportedValue = (param: string, modelId: string, value: unknown, expected: string): GatewayError =>
  new GatewayError(
    'unsupported_value',
    `'${param}': ${modelId} does not take ${truncateForError(JSON.stringify(value))}: expected ${expected}.`,
    { param },
  );

export const unsupportedParameter = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });

/** Three bytes a token is more tokens than nearly any text really has; four is the average. */
export const tokensAtMost = (...texts: readonly string[]): number =>
  Math.ceil(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) / 3);
