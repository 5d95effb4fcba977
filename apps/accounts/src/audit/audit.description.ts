import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { pageOf, time } from '../http/answers.js';
import { page, text } from '../http/fields.js';

export const auditListing = z.strictObject(page);
export const adminAuditListing = z.strictObject({ ...page, account_id: text(64).optional() });

export const auditRecord = z
  .object({
    id: z.string(),
    at: time,
    actor: z.string(),
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
    description: 'Also those that administrators made.',
    query: auditListing,
    answers: { 200: pageOf(auditRecord) },
    examples: { newest: { query: { limit: '1' } } },
  },
  all: {
    id: 'audit.listAll',
    summary: 'List the changes of all accounts',
    query: adminAuditListing,
    answers: { 200: pageOf(auditRecord) },
    examples: { newest: { query: { limit: '1' } } },
  },
} satisfies Record<string, RouteDescription>;
