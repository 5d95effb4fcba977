import { newMailId } from '@gateway/contracts';
import type { Database } from '../database.js';
import type { NewMail } from './mail-record.js';

/** Writes a mail into the outbox. It is sent even if this process dies now. */
export async function enqueueMail({ prisma }: Database, { details = {}, ...mail }: NewMail): Promise<void> {
  await prisma.mail.create({ data: { id: newMailId(), ...mail, details: { ...details } } });
}
