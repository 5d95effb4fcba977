import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { capRecord, pageOf, time } from '../http/answers.js';
import { oneLine } from '../http/fields.js';
import { organisationRecord, roleName } from '../http/person-view.js';
import { timeZone } from '../http/time-zone.js';

export const newOrganisation = z.strictObject({ name: oneLine(100), time_zone: timeZone.default('UTC') });

export const memberRecord = z
  .object({
    id: z.string(),
    person_id: z.string(),
    email: z.string(),
    name: z.string(),
    role: roleName,
    caps: z.array(capRecord).readonly(),
    created_at: time,
  })
  .meta({ id: 'Member' });

export const ORGANISATIONS = {
  list: {
    id: 'organisations.list',
    summary: 'List the organisations of the own person',
    answers: { 200: pageOf(organisationRecord) },
  },
  create: {
    id: 'organisations.create',
    summary: 'Create a further organisation, with the caller as its owner',
    body: newOrganisation,
    answers: { 201: organisationRecord },
    errors: ['rate_limit_exceeded'],
  },
  choose: {
    id: 'organisations.choose',
    summary: 'Let this session work in another organisation',
    answers: { 200: organisationRecord },
  },
} satisfies Record<string, RouteDescription>;

export const MEMBERS = {
  list: { id: 'members.list', summary: 'List the members', answers: { 200: pageOf(memberRecord) } },
} satisfies Record<string, RouteDescription>;
