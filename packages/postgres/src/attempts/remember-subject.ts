import type { Database } from '../database.js';

/** Remembers a subject until `forMs` from now. A repeated call extends the time. `removeExpired` removes it. */
export async function rememberSubject({ prisma }: Database, subject: string, forMs: number): Promise<void> {
  const endsAt = new Date(Date.now() + forMs);
  await prisma.attemptWindow.upsert({
    where: { subject },
    create: { subject, attempts: 1, endsAt },
    update: { endsAt },
  });
}

export async function isSubjectRemembered({ prisma }: Database, subject: string): Promise<boolean> {
  return (await prisma.attemptWindow.count({ where: { subject, endsAt: { gt: new Date() } } })) > 0;
}
