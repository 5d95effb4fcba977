import { MEMBER_ROLES } from '@gateway/contracts';
import type { AccountRecord, Organisation, PersonRecord } from '@gateway/postgres';
import { z } from 'zod';
import { accountRecord, accountView } from './account-view.js';
import { time, timeOrNull } from './answers.js';

export const roleName = z.enum(MEMBER_ROLES, `must be one of ${MEMBER_ROLES.join(', ')}`);

export const personRecord = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    locale: z.string().meta({ description: 'The language of mails: `en` or `zh`.' }),
    time_zone: z.string(),
    confirmed_at: timeOrNull.meta({ description: 'Null: no link that was sent to the address has been used.' }),
    created_at: time,
  })
  .meta({ id: 'Person' });

/** A person as that person sees it. */
export const personView = (person: PersonRecord): z.output<typeof personRecord> => ({
  id: person.id,
  email: person.email,
  name: person.name,
  locale: person.locale,
  time_zone: person.timeZone,
  confirmed_at: person.confirmedAt?.toISOString() ?? null,
  created_at: person.createdAt.toISOString(),
});

export const organisationRecord = z
  .object({
    ...accountRecord.shape,
    role: roleName,
    is_chosen: z.boolean().meta({ description: 'The session works in this organisation.' }),
  })
  .meta({ id: 'Organisation' });

/** An organisation as its member sees it. */
export const organisationView = (
  { account, role }: Organisation,
  chosen: AccountRecord | null,
): z.output<typeof organisationRecord> => ({
  ...accountView(account),
  role,
  is_chosen: account.id === chosen?.id,
});
