import { GatewayError } from '@gateway/contracts';
import type { z } from 'zod';
import { describeIssue } from './describe-issue.js';

/** The query as its schema reads it. Throws a 400 that names the field, and says so where the client has repeated it. */
export function checkedQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const [name] = parsed.error.issues[0]?.path ?? [];
  const given = (query as Readonly<Record<PropertyKey, unknown>>)[name ?? ''];
  if (!Array.isArray(given)) throw describeIssue(parsed.error);
  const param = String(name);
  throw new GatewayError('invalid_request', `'${param}': expected one value, received ${given.length}.`, { param });
}
