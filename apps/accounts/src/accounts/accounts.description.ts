import type { Answer, RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { capRecord, pageOf, time, timeOrNull, usdText } from '../http/answers.js';
import { caps } from '../http/caps.js';
import { page, text, usd } from '../http/fields.js';
import { existingPassword, newPassword } from './password.js';

const email = z.email('must be an email address').max(254).toLowerCase();

export const registration = z.strictObject({ email, password: newPassword });
export const credentials = z.strictObject({ email, password: existingPassword });
export const passwordChange = z.strictObject({ password: existingPassword, new_password: newPassword });

const TIME_ZONES: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

export const settingsChange = z.strictObject({
  low_balance_usd: usd
    .refine((amount) => amount >= 0n, 'must not be below zero')
    .nullable()
    .optional(),
  time_zone: z
    .string()
    .refine((name) => TIME_ZONES.has(name), 'must be an IANA time zone such as Europe/Berlin')
    .optional(),
  caps: caps.optional(),
});

/** A plus sign in a query that the client did not encode arrives as a space. No email contains a space. */
const sought = text(254)
  .toLowerCase()
  .transform((address) => address.replaceAll(' ', '+'));
export const accountListing = z.strictObject({ ...page, email: sought.optional() });

const limit = z.int().min(0).max(1_000_000).nullable().optional();
export const accountChange = z.strictObject({ rpm: limit, concurrency: limit, suspended: z.boolean().optional() });

/** An account as its owner sees it. */
export const accountRecord = z.object({ id: z.string(), email: z.string(), created_at: time }).meta({ id: 'Account' });

export const adminAccountRecord = z.object({
  ...accountRecord.shape,
  rpm: z.int().nullable(),
  concurrency: z.int().nullable(),
  suspended_at: timeOrNull,
});

export const accountWithBalance = z
  .object({ ...adminAccountRecord.shape, balance_usd: usdText })
  .meta({ id: 'AccountWithBalance' });

export const settingsRecord = z.object({
  low_balance_usd: usdText.nullable(),
  time_zone: z.string(),
  caps: z.array(capRecord).readonly(),
});

const openedSession = (description: string): Answer => ({
  description,
  content: {
    'application/json': z.object({
      account: accountRecord,
      token: z.string().meta({ description: 'The session: send it as `Authorization: Bearer`.' }),
    }),
  },
  headers: ['set-cookie'],
});

export const ACCOUNTS = {
  register: {
    id: 'account.register',
    summary: 'Register an account',
    body: registration,
    answers: { 201: openedSession('Registered, with a session') },
    errors: ['rate_limit_exceeded'],
    examples: { new: { body: { email: 'ada@example.com', password: 'correct horse battery' } } },
  },
  login: {
    id: 'account.login',
    summary: 'Open a session',
    body: credentials,
    answers: { 200: openedSession('A new session') },
    errors: ['invalid_api_key', 'rate_limit_exceeded'],
    examples: { known: { body: { email: 'ada@example.com', password: 'correct horse battery' } } },
  },
  logout: {
    id: 'account.logout',
    summary: 'End the session',
    answers: { 200: z.object({ logged_out: z.literal(true) }) },
  },
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
  changePassword: {
    id: 'account.changePassword',
    summary: 'Change the password',
    description: 'Ends every other session. Keys stay.',
    body: passwordChange,
    answers: { 200: z.object({ changed: z.literal(true) }) },
    errors: ['rate_limit_exceeded'],
  },
  list: {
    id: 'accounts.list',
    summary: 'List all accounts',
    query: accountListing,
    answers: { 200: pageOf(accountWithBalance) },
    examples: { first: { query: { limit: '1' } } },
  },
  show: {
    id: 'accounts.get',
    summary: 'Read an account',
    answers: { 200: accountWithBalance },
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
