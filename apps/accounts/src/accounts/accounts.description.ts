import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { accountRecord } from '../http/account-view.js';
import { capRecord, jsonOrEvents, pageOf, timeOrNull, usdText } from '../http/answers.js';
import { caps } from '../http/caps.js';
import { email, oneLine, page, text, usd } from '../http/fields.js';
import { timeZone } from '../http/time-zone.js';

export const settingsChange = z.strictObject({
  name: oneLine(100).optional(),
  email: email.optional().meta({ description: 'Where the notices of the organisation go.' }),
  low_balance_usd: usd
    .refine((amount) => amount >= 0n, 'must not be below zero')
    .nullable()
    .optional(),
  time_zone: timeZone.optional(),
  caps: caps.optional(),
});

/** A plus sign in a query that the client did not encode arrives as a space. No email contains a space. */
const sought = text(254)
  .toLowerCase()
  .transform((address) => address.replaceAll(' ', '+'));
export const accountListing = z.strictObject({
  ...page,
  email: sought.optional(),
  search: text(254).trim().min(1).optional().meta({ description: 'An id, or a part of a name or an address.' }),
});

const limit = z.int().min(0).max(1_000_000).nullable().optional();
export const accountChange = z.strictObject({ rpm: limit, concurrency: limit, suspended: z.boolean().optional() });

export const adminAccountRecord = z.object({
  ...accountRecord.shape,
  rpm: z.int().nullable(),
  concurrency: z.int().nullable(),
  suspended_at: timeOrNull,
  closed_at: timeOrNull.meta({ description: 'When its owner deleted it. Its books stay.' }),
});

export const accountWithBalance = z
  .object({ ...adminAccountRecord.shape, balance_usd: usdText })
  .meta({ id: 'AccountWithBalance' });

export const settingsRecord = z.object({
  name: z.string(),
  email: z.string(),
  low_balance_usd: usdText.nullable(),
  time_zone: z.string(),
  caps: z.array(capRecord).readonly(),
});

export const ACCOUNTS = {
  settings: {
    id: 'account.settings',
    summary: 'Read the settings',
    answers: { 200: settingsRecord },
    examples: { current: {} },
  },
  changeSettings: {
    id: 'account.changeSettings',
    summary: 'Change the settings',
    body: settingsChange,
    answers: { 200: settingsRecord },
    examples: {
      caps: {
        body: { low_balance_usd: '10', caps: [{ period: 'month', measure: 'usd', limit: '500', hard: true }] },
      },
    },
  },
  list: {
    id: 'accounts.list',
    summary: 'List all accounts',
    query: accountListing,
    answers: { 200: jsonOrEvents('FollowedAccounts', pageOf(accountWithBalance)) },
    examples: { first: { query: { limit: '1' } } },
  },
  show: {
    id: 'accounts.get',
    summary: 'Read an account',
    answers: { 200: jsonOrEvents('FollowedAccount', accountWithBalance) },
    examples: { one: { path: { id: '{accountId}' } } },
  },
  change: {
    id: 'accounts.change',
    summary: 'Change the limits of an account, or suspend it',
    body: accountChange,
    answers: { 200: adminAccountRecord },
    examples: { limits: { path: { id: '{accountId}' }, body: { rpm: 600, concurrency: 50 } } },
  },
} satisfies Record<string, RouteDescription>;
