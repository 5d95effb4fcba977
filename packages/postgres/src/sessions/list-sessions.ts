import type { Database } from '../database.js';

export interface SessionRecord {
  readonly id: string;
  readonly userAgent: string;
  readonly ip: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

/** The open sessions of a person, the one used last first. */
export const listSessions = ({ prisma }: Database, personId: string, now: Date): Promise<readonly SessionRecord[]> =>
  prisma.session.findMany({
    where: { personId, expiresAt: { gt: now } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
    take: 200,
    select: { id: true, userAgent: true, ip: true, createdAt: true, lastSeenAt: true, expiresAt: true },
  });

/** Ends one session of a person. False: the person has no such session. */
export async function endSession({ prisma }: Database, personId: string, id: string): Promise<boolean> {
  return (await prisma.session.deleteMany({ where: { id, personId } })).count > 0;
}

/** Ends all sessions of a person except `keptId`, and returns their number. */
export async function endOtherSessions({ prisma }: Database, personId: string, keptId: string): Promise<number> {
  return (await prisma.session.deleteMany({ where: { personId, id: { not: keptId } } })).count;
}
