import type { Database } from '../database.js';

/** Counts an attempt of a subject in its window, over all processes. Returns the count and the end of the window. */
export async function countAttempt(
  { prisma }: Database,
  subject: string,
  windowMs: number,
): Promise<{ readonly attempts: number; readonly endsAt: Date }> {
  const [window] = await prisma.$queryRaw<{ attempts: number; ends_at: Date }[]>`
    INSERT INTO attempt_window AS known (subject, attempts, ends_at)
    VALUES (${subject}, 1, now() + ${windowMs}::int * interval '1 millisecond')
    ON CONFLICT (subject) DO UPDATE SET
      attempts = CASE WHEN known.ends_at <= now() THEN 1 ELSE known.attempts + 1 END,
      ends_at = CASE WHEN known.ends_at <= now() THEN excluded.ends_at ELSE known.ends_at END
    RETURNING attempts, ends_at`;
  if (window === undefined) throw new Error('count-attempt: the upsert returned no row');
  return { attempts: window.attempts, endsAt: window.ends_at };
}

export async function resetAttempts({ prisma }: Database, subject: string): Promise<void> {
  await prisma.attemptWindow.deleteMany({ where: { subject } });
}

/** Longer than the longest period of a cap: its alert is raised once in a period. */
const CAP_ALERTS_MS = 40 * 24 * 60 * 60 * 1_000;

/** Removes expired windows and sessions, and alerts of caps whose period is over. */
export async function removeExpired({ prisma }: Database, now: Date): Promise<void> {
  await prisma.$executeRaw`DELETE FROM attempt_window WHERE ends_at <= ${now}`;
  await prisma.$executeRaw`DELETE FROM session WHERE expires_at <= ${now}`;
  const endedPeriods = new Date(now.getTime() - CAP_ALERTS_MS);
  await prisma.$executeRaw`
    DELETE FROM budget_alert
    WHERE type = 'cap.reached' AND raised_at <= ${endedPeriods} AND subject NOT LIKE '%:life:%'`;
}
