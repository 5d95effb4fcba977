import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { jsonOrEvents, pageOf, time, timeOrNull } from '../http/answers.js';
import { oneLine, text } from '../http/fields.js';

export const newAdministrator = z.strictObject({ name: oneLine(100), email: text(254).toLowerCase().optional() });
export const newView = z.strictObject({ reason: oneLine(500) });

export const administratorRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    person_id: z.string().nullable(),
    created_by: z.string(),
    created_at: time,
    revoked_at: timeOrNull,
  })
  .meta({ id: 'Administrator' });

const createdAdministrator = administratorRecord.extend({
  token: z.string().nullable().meta({ description: 'Shown this once. Null for a person, whose session counts.' }),
});

const viewRecord = z
  .object({
    id: z.string(),
    account_id: z.string(),
    administrator: z.string(),
    reason: z.string(),
    expires_at: time,
    token: z.string().meta({ description: 'A bearer token for the reading routes of the account. Shown this once.' }),
  })
  .meta({ id: 'AccountView' });

const endedView = z.object({ id: z.string().nullable(), account: z.object({ id: z.string() }).nullable() });

export type EndedView = z.output<typeof endedView>;
export type AdministratorView = z.output<typeof administratorRecord>;
export type OpenedView = z.output<typeof viewRecord>;

export const ADMINISTRATORS = {
  list: {
    id: 'administrators.list',
    summary: 'List the administrators',
    answers: { 200: jsonOrEvents('FollowedAdministrators', pageOf(administratorRecord)) },
    examples: { all: {} },
  },
  create: {
    id: 'administrators.create',
    summary: 'Name an administrator',
    description: 'With `email`, the sessions of that person count. Without, a token is made.',
    body: newAdministrator,
    answers: { 201: createdAdministrator },
    examples: { token: { body: { name: 'Ann Example' } } },
  },
  revoke: {
    id: 'administrators.revoke',
    summary: 'End the rights of an administrator',
    description: 'At once. The row stays, because the audit log names it.',
    answers: { 200: administratorRecord },
    examples: { one: { path: { id: '{administratorId}' } } },
  },
  view: {
    id: 'accounts.view',
    summary: 'Read an account as its viewer',
    description:
      'For 15 minutes, and each look is in the audit log of the account. Nothing can be changed. A browser that sent its session cookie gets the token as a cookie too.',
    body: newView,
    answers: { 201: viewRecord },
    examples: { support: { path: { id: '{accountId}' }, body: { reason: 'Ticket 17: a receipt is not clear.' } } },
  },
  endView: {
    id: 'accounts.endView',
    summary: 'Stop reading an account',
    description: 'Ends the view of the cookie at once. Nulls: there was none.',
    answers: { 200: endedView },
    examples: { current: {} },
  },
} satisfies Record<string, RouteDescription>;
