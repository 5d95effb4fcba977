import type { Answer, RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { accountRecord } from '../http/account-view.js';
import { email, oneLine, text } from '../http/fields.js';
import { organisationRecord, personRecord, roleName } from '../http/person-view.js';
import { timeZone } from '../http/time-zone.js';
import { existingPassword, newPassword } from './password.js';

/** The languages of mails. */
const LOCALES = ['en', 'zh'] as const;
const locale = z.enum(LOCALES, `must be one of ${LOCALES.join(', ')}`);
const personName = oneLine(100);

export const registration = z.strictObject({
  email,
  password: newPassword,
  name: personName.optional(),
  organisation: oneLine(100).optional().meta({ description: 'The name of the organisation that the person opens.' }),
  locale: locale.optional(),
  time_zone: timeZone.optional(),
});
export const credentials = z.strictObject({
  email,
  password: existingPassword,
  account_id: text(64).optional().meta({ description: 'The organisation to choose; default: the first one.' }),
});
export const passwordChange = z.strictObject({ password: existingPassword, new_password: newPassword });
export const personChange = z.strictObject({
  name: personName.optional(),
  locale: locale.optional(),
  time_zone: timeZone.optional(),
});

export const openedSession = z.object({
  account: accountRecord.nullable().meta({ description: 'The chosen organisation. Null: the person has none.' }),
  person: personRecord,
  organisations: z.array(organisationRecord).readonly(),
  token: z.string().meta({ description: 'The session: send it as `Authorization: Bearer`.' }),
});

const withCookie = (description: string): Answer => ({
  description,
  content: { 'application/json': openedSession },
  headers: ['set-cookie'],
});

export const sessionRecord = z.object({
  person: z.object({ id: z.string(), email: z.string(), name: z.string(), confirmed: z.boolean() }),
  account: z.object({ id: z.string(), name: z.string(), time_zone: z.string() }).nullable(),
  role: roleName.nullable(),
  accounts: z.array(z.object({ id: z.string(), name: z.string(), role: roleName })).readonly(),
  administrator: z.boolean(),
});

export const PEOPLE = {
  register: {
    id: 'account.register',
    summary: 'Register a person with an organisation',
    body: registration,
    answers: { 201: withCookie('Registered, with a session') },
    errors: ['rate_limit_exceeded'],
    examples: { new: { body: { email: 'ada@example.com', password: 'correct horse battery' } } },
  },
  login: {
    id: 'account.login',
    summary: 'Open a session',
    body: credentials,
    answers: { 200: withCookie('A new session') },
    errors: ['invalid_api_key', 'rate_limit_exceeded'],
    examples: { known: { body: { email: 'ada@example.com', password: 'correct horse battery' } } },
  },
  logout: {
    id: 'account.logout',
    summary: 'End the session',
    answers: { 200: z.object({ logged_out: z.literal(true) }) },
  },
  session: {
    id: 'account.session',
    summary: 'Read who is logged in, and in which organisation',
    answers: { 200: sessionRecord },
  },
  show: { id: 'person.get', summary: 'Read the own person', answers: { 200: personRecord } },
  change: {
    id: 'person.change',
    summary: 'Change the own name, language or time zone',
    body: personChange,
    answers: { 200: personRecord },
  },
  changePassword: {
    id: 'account.changePassword',
    summary: 'Change the password',
    description: 'Ends every other session. Keys stay.',
    body: passwordChange,
    answers: { 200: z.object({ changed: z.literal(true) }) },
    errors: ['rate_limit_exceeded'],
  },
} satisfies Record<string, RouteDescription>;
