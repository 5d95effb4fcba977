import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { capRecord, deleted, pageOf, time, timeOrNull, usdText } from '../http/answers.js';
import { caps } from '../http/caps.js';
import { email, locale, oneLine } from '../http/fields.js';
import { organisationRecord, roleName } from '../http/person-view.js';
import { timeZone } from '../http/time-zone.js';

export const newOrganisation = z.strictObject({ name: oneLine(100), time_zone: timeZone.default('UTC') });

/** The deletion of an organisation names it, so that no other one is deleted by mistake. */
export const organisationRemoval = z.strictObject({
  name: oneLine(254).meta({ description: 'The name of the organisation; without a name, the address of its notices.' }),
});

export const memberRecord = z
  .object({
    id: z.string(),
    person_id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleName,
    caps: z.array(capRecord).readonly(),
    open_keys: z.int().min(0).meta({
      description:
        'Keys of the member that work, without the child keys below them. They work also if the role may not create keys.',
    }),
    created_at: time,
  })
  .meta({ id: 'Member' });

export const ORGANISATIONS = {
  list: {
    id: 'organisations.list',
    summary: 'List the organisations of the own person',
    answers: { 200: pageOf(organisationRecord) },
    examples: { all: {} },
  },
  create: {
    id: 'organisations.create',
    summary: 'Create a further organisation, with the caller as its owner',
    body: newOrganisation,
    answers: { 201: organisationRecord },
    errors: ['rate_limit_exceeded'],
    examples: { second: { body: { name: 'Analytical Engines', time_zone: 'Europe/London' } } },
  },
  choose: {
    id: 'organisations.choose',
    summary: 'Let this session work in another organisation',
    answers: { 200: organisationRecord },
    examples: { one: { path: { id: '{accountId}' } } },
  },
  remove: {
    id: 'organisations.delete',
    summary: 'Delete the organisation of the session, for good',
    description:
      'Its people leave it, its keys end, running tasks and batches are cancelled, and files, results and kept contents are removed. Receipts and the ledger stay. The operator pays the balance back.',
    query: organisationRemoval,
    answers: {
      200: deleted.extend({
        balance_usd: usdText.meta({
          description: 'What is left, with what cancelled work gives back later not counted.',
        }),
      }),
    },
    examples: { empty: { path: { id: '{leftAccountId}' }, query: { name: 'Left Engines' } } },
  },
} satisfies Record<string, RouteDescription>;

export const memberChange = z.strictObject({
  role: roleName.optional(),
  caps: caps.optional(),
  keys: z
    .enum(['keep', 'revoke', 'hand_over'], 'must be keep, revoke, or hand_over: the organisation gets them')
    .default('keep')
    .meta({
      description:
        'What becomes of the keys of the member and of the child keys below them. `keep`: they go on working.',
    }),
});
export const memberRemoval = z.strictObject({
  keys: z.enum(['revoke', 'hand_over'], 'must be revoke, or hand_over: the organisation gets them').default('revoke'),
});

export const MEMBERS = {
  list: {
    id: 'members.list',
    summary: 'List the members',
    answers: { 200: pageOf(memberRecord) },
    examples: { all: {} },
  },
  change: {
    id: 'members.change',
    summary: 'Change the role of a member, the caps over all keys of the member, or end the keys',
    description:
      'An organisation keeps at least one owner. The keys of a member who may not create keys any more go on working, unless `keys` ends them.',
    body: memberChange,
    answers: { 200: memberRecord },
    examples: { role: { path: { id: '{memberId}' }, body: { role: 'developer' } } },
  },
  remove: {
    id: 'members.remove',
    summary: 'Remove a member, or leave',
    description:
      'The keys of the member are revoked, or handed over to the organisation. Only an owner removes others, and hands keys over.',
    query: memberRemoval,
    answers: { 200: deleted },
    examples: { one: { path: { id: '{memberId}' } } },
  },
} satisfies Record<string, RouteDescription>;

export const newInvitation = z.strictObject({
  email,
  role: roleName,
  locale: locale.optional().meta({ description: 'The language of the mail; default: that of the inviter.' }),
});

export const invitationRecord = z
  .object({
    id: z.string(),
    email: z.string(),
    role: roleName,
    state: z.enum(['pending', 'accepted', 'revoked', 'expired']),
    invited_by: z.string().meta({ description: 'The id of the person.' }),
    sent_at: timeOrNull.meta({ description: 'Null: the mail is not sent yet.' }),
    created_at: time,
    expires_at: time,
  })
  .meta({ id: 'Invitation' });

export const INVITATIONS = {
  create: {
    id: 'invitations.create',
    summary: 'Invite a person by mail',
    description: 'It replaces an earlier invitation of the address that is still pending.',
    body: newInvitation,
    answers: { 201: invitationRecord },
    errors: ['rate_limit_exceeded'],
    examples: { developer: { body: { email: 'grace@example.com', role: 'developer' } } },
  },
  list: {
    id: 'invitations.list',
    summary: 'List the invitations',
    answers: { 200: pageOf(invitationRecord) },
    examples: { all: {} },
  },
  resend: {
    id: 'invitations.resend',
    summary: 'Send the mail of an invitation again',
    answers: { 200: invitationRecord },
    errors: ['rate_limit_exceeded'],
    examples: { one: { path: { id: '{invitationId}' } } },
  },
  revoke: {
    id: 'invitations.revoke',
    summary: 'Revoke an invitation',
    answers: { 200: deleted },
    examples: { one: { path: { id: '{invitationId}' } } },
  },
} satisfies Record<string, RouteDescription>;
