import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { capRecord, deleted, pageOf, time, timeOrNull, usdText } from '../http/answers.js';
import { keyChange, newKey, rotation } from './key-settings.js';

const orNull = z.array(z.string()).readonly().nullable();

/** A key as its owner sees it. */
export const keyRecord = z
  .object({
    id: z.string(),
    member_id: z.string().nullable().meta({ description: "Null: the organisation's own key." }),
    name: z.string(),
    prefix: z.string().meta({ description: 'The beginning and the end of the key, by which people recognize it.' }),
    test: z.boolean(),
    models: orNull.meta({ description: 'Null: all models.' }),
    endpoints: orNull.meta({ description: 'Null: all endpoints.' }),
    rpm: z.int().nullable(),
    concurrency: z.int().nullable(),
    spend_cap_usd: usdText.nullable(),
    spent_usd: usdText.meta({
      description: 'What its cap counts: its receipts, and what is held for videos that run.',
    }),
    reserved_usd: usdText.meta({ description: 'The budgets of its open children.' }),
    parent_id: z.string().nullable().meta({ description: 'The key that made it. Null: a person made it.' }),
    caps: z.array(capRecord).readonly(),
    expires_at: timeOrNull,
    allowed_ips: orNull,
    scopes: z.array(z.string()).readonly(),
    keep_contents: z.boolean().meta({ description: 'Prompts and answers are kept for 24 hours.' }),
    last_used_at: timeOrNull,
    created_at: time,
  })
  .meta({ id: 'Key' });

export const shownOnce = z.string().meta({ description: 'The key. No later answer shows it.' });

export const KEYS = {
  create: {
    id: 'keys.create',
    summary: 'Create a key',
    description: 'Only this answer shows the key. A key can only lower the limits of its account.',
    body: newKey,
    answers: { 201: z.object({ key: shownOnce, ...keyRecord.shape }) },
    examples: { limited: { body: { name: 'reports', models: ['gm-3.5-flash-lite'], rpm: 60, spend_cap_usd: '25' } } },
  },
  list: { id: 'keys.list', summary: 'List the keys', answers: { 200: pageOf(keyRecord) }, examples: { all: {} } },
  change: {
    id: 'keys.change',
    summary: 'Change a key',
    description: 'Every edge applies the change at once. Null removes a limit.',
    body: keyChange,
    answers: { 200: keyRecord },
    examples: { rename: { path: { id: '{keyId}' }, body: { name: 'weekly reports' } } },
  },
  remove: {
    id: 'keys.delete',
    summary: 'Revoke a key',
    answers: { 200: deleted },
    examples: { revoke: { path: { id: '{spareKeyId}' } } },
  },
  rotate: {
    id: 'keys.rotate',
    summary: 'Replace a key by a new one',
    description: 'The old key stays valid for `grace_seconds`.',
    body: rotation,
    answers: {
      201: z.object({ key: shownOnce, ...keyRecord.shape, replaces: z.string(), old_expires_at: timeOrNull }),
    },
    examples: { graceful: { path: { id: '{keyId}' }, body: { grace_seconds: 3600 } } },
  },
} satisfies Record<string, RouteDescription>;
