import { newMailId } from '@gateway/contracts';
import type { Database } from '../database.js';
import type { NewMail } from './mail-record.js';

/** Writes a mail into the outbox. It is sent even if this process dies now. */
export async function enqueueMail({ prisma }: Database, { details = {}, ...mail }: NewMail): Promise<void> {
  await prisma.mail.create({ data: { id: newMailId(), ...mail, details: { ...details } } });
}

/** Ends the links of a person that have not been used. */
export async function voidMails({ prisma }: Database, personId: string, kind: NewMail['kind']): Promise<void> {
  await prisma.mail.updateMany({ where: { personId, kind, usedAt: null }, data: { usedAt: new Date(), dueAt: null } });
}
