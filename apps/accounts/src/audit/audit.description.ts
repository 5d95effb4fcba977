import type { RouteDescription } from '@gateway/api-description';
import { AUDIT_ACTORS } from '@gateway/postgres';
import { z } from 'zod';
import { jsonOrCsv, jsonOrEvents, pageOf, time } from '../http/answers.js';
import { fromTo, isPeriod, PERIOD_FAULT, page, pageOrFile, text } from '../http/fields.js';

const filters = {
  action: text(64).optional().meta({ description: 'An action, or with a dot at its end all of a subject: `key.`' }),
  actor: z.enum(AUDIT_ACTORS, `must be one of ${AUDIT_ACTORS.join(', ')}`).optional(),
  person_id: text(64).optional(),
  subject: text(64).optional().meta({ description: 'The id of what was changed, such as a key.' }),
  ...fromTo,
};

export const auditListing = z.strictObject({ ...pageOrFile, ...filters }).refine(isPeriod, PERIOD_FAULT);
export const adminAuditListing = z
  .strictObject({
    ...page,
    ...filters,
    account_id: text(64).optional(),
    administrator: text(100).optional(),
  })
  .refine(isPeriod, PERIOD_FAULT);

export const auditRecord = z
  .object({
    id: z.string(),
    at: time,
    actor: z.string(),
    person: z
      .object({ id: z.string(), name: z.string(), role: z.string().nullable() })
      .nullable()
      .meta({ description: 'The person, with the role at that time.' }),
    administrator: z.string().nullable().meta({ description: 'Null: another actor, or the token without a name.' }),
    account_id: z.string().nullable(),
    action: z.string(),
    subject: z.string().nullable(),
    details: z.unknown(),
    ip: z.string().nullable(),
    request_id: z.string(),
    status: z.int().nullable(),
    error_code: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry' });

export const AUDIT = {
  own: {
    id: 'audit.list',
    summary: 'List the changes of the account',
    description: 'Also those that administrators made. `format=csv` without `limit` is the whole list.',
    query: auditListing,
    answers: { 200: jsonOrCsv(pageOf(auditRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  all: {
    id: 'audit.listAll',
    summary: 'List the changes of all accounts',
    query: adminAuditListing,
    answers: { 200: jsonOrEvents('FollowedAudit', pageOf(auditRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
} satisfies Record<string, RouteDescription>;
