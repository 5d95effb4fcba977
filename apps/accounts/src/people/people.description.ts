import type { Answer, RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { accountRecord } from '../http/account-view.js';
import { time } from '../http/answers.js';
import { email, locale, oneLine, text } from '../http/fields.js';
import { mailCode } from '../http/mail-code.js';
import { organisationRecord, personRecord, roleName } from '../http/person-view.js';
import { timeZone } from '../http/time-zone.js';
import { existingPassword, newPassword } from './password.js';

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

export const confirmation = z.strictObject({ token: mailCode });
export const passwordReset = z.strictObject({ email });
export const newPasswordByMail = z.strictObject({ token: mailCode, new_password: newPassword });
export const emailChange = z.strictObject({ email, password: existingPassword });
export const acceptance = z.strictObject({
  token: mailCode,
  password: newPassword.optional().meta({ description: 'Needed if the address has no login yet.' }),
  name: personName.optional(),
  locale: locale.optional(),
});

const sent = z.object({ sent: z.boolean() });

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
  administrator: z.boolean().meta({ description: "May call the administrators' routes." }),
  view: z
    .object({ id: z.string(), reason: z.string(), expires_at: time })
    .nullable()
    .meta({ description: 'An administrator reads `account` as its viewer until this time.' }),
});

export const PEOPLE = {
  register: {
    id: 'account.register',
    summary: 'Register a person with an organisation',
    body: registration,
    description:
      'With `REGISTRATION_REQUIRES_CONFIRMATION`, a mail is sent first, whether or not the address is registered.',
    answers: {
      201: withCookie('Registered, with a session'),
      202: z.object({ confirmation_required: z.literal(true) }),
    },
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
    examples: { now: {} },
  },
  session: {
    id: 'account.session',
    summary: 'Read who is logged in, and in which organisation',
    answers: { 200: sessionRecord },
    examples: { one: {} },
  },
  show: {
    id: 'person.get',
    summary: 'Read the own person',
    answers: { 200: personRecord },
    examples: { one: {} },
  },
  change: {
    id: 'person.change',
    summary: 'Change the own name, language or time zone',
    body: personChange,
    answers: { 200: personRecord },
    examples: { name: { body: { name: 'Ada' } } },
  },
  changePassword: {
    id: 'account.changePassword',
    summary: 'Change the password',
    description: 'Ends every other session. Keys stay.',
    body: passwordChange,
    answers: { 200: z.object({ changed: z.literal(true) }) },
    errors: ['rate_limit_exceeded'],
    examples: { own: { body: { password: 'correct horse battery', new_password: 'another horse battery' } } },
  },
  requestReset: {
    id: 'passwordResets.create',
    summary: 'Ask for a new password by mail',
    description: 'The answer does not disclose whether the address is registered.',
    body: passwordReset,
    answers: { 202: sent },
    errors: ['rate_limit_exceeded'],
    examples: { forgotten: { body: { email: 'ada@example.com' } } },
  },
  completeReset: {
    id: 'passwordResets.complete',
    summary: 'Choose a new password with the code of the mail',
    description: 'Ends every session.',
    body: newPasswordByMail,
    answers: { 200: z.object({ changed: z.literal(true) }) },
    errors: ['rate_limit_exceeded'],
    examples: { mailed: { body: { token: '{mailCode}', new_password: 'another horse battery' } } },
  },
  sendConfirmation: {
    id: 'person.sendConfirmation',
    summary: 'Send the mail again that confirms the own address',
    answers: { 202: sent },
    errors: ['rate_limit_exceeded'],
    examples: { again: {} },
  },
  changeEmail: {
    id: 'person.changeEmail',
    summary: 'Change the own address, once the link in its mail is used',
    body: emailChange,
    answers: { 202: sent },
    errors: ['rate_limit_exceeded'],
    examples: { other: { body: { email: 'ada@example.com', password: 'correct horse battery' } } },
  },
  confirm: {
    id: 'confirmations.create',
    summary: 'Confirm an address with the code of the mail',
    body: confirmation,
    answers: { 200: z.object({ confirmed: z.literal(true), email: z.string() }) },
    errors: ['rate_limit_exceeded'],
    examples: { mailed: { body: { token: '{mailCode}' } } },
  },
  findInvitation: {
    id: 'invitations.find',
    summary: 'Read what the code of an invitation offers',
    body: confirmation,
    answers: {
      200: z.object({
        email: z.string(),
        role: roleName,
        organisation: z.string(),
        needs_password: z.boolean().meta({ description: 'The address has no login yet.' }),
      }),
    },
    errors: ['rate_limit_exceeded'],
    examples: { mailed: { body: { token: '{mailCode}' } } },
  },
  acceptInvitation: {
    id: 'invitations.accept',
    summary: 'Join an organisation with the code of an invitation',
    description: 'A new person gets a session. A known person logs in as always.',
    body: acceptance,
    answers: {
      200: z.union([openedSession, z.object({ joined: z.literal(true), account: z.object({ id: z.string() }) })]),
    },
    errors: ['rate_limit_exceeded'],
    examples: { newcomer: { body: { token: '{mailCode}', password: 'correct horse battery', name: 'Grace' } } },
  },
} satisfies Record<string, RouteDescription>;
