import type { Database } from '../database.js';
import { isUniqueViolation } from '../database-failure.js';

/** Someone who may call the administrators' routes: with a token of their own, or with the session of a person. */
export interface AdministratorRecord {
  readonly id: string;
  readonly name: string;
  readonly personId: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export interface NewAdministrator extends Pick<AdministratorRecord, 'id' | 'name' | 'personId' | 'createdBy'> {
  /** Null: only the session of the person counts. */
  readonly tokenSha256: string | null;
}

const FIELDS = { id: true, name: true, personId: true, createdBy: true, createdAt: true, revokedAt: true } as const;

export const listAdministrators = ({ prisma }: Database): Promise<readonly AdministratorRecord[]> =>
  prisma.administrator.findMany({ select: FIELDS, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

/** Null: another administrator in office has the name, or is the person. */
export async function createAdministrator(
  { prisma }: Database,
  administrator: NewAdministrator,
): Promise<AdministratorRecord | null> {
  try {
    return await prisma.administrator.create({ data: administrator, select: FIELDS });
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
}

/** Ends the rights of an administrator at once. Null: there is none of this id. Repeating it changes nothing. */
export async function revokeAdministrator({ prisma }: Database, id: string): Promise<AdministratorRecord | null> {
  await prisma.administrator.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
  return prisma.administrator.findUnique({ where: { id }, select: FIELDS });
}

/** An administrator in office by the hash of a token, or by person. */
export const findAdministrator = (
  { prisma }: Database,
  by: { readonly tokenSha256: string } | { readonly personId: string },
): Promise<AdministratorRecord | null> =>
  prisma.administrator.findFirst({ where: { ...by, revokedAt: null }, select: FIELDS });
