import type { MemberRole } from '@gateway/contracts';

/** A person in an organisation. */
export interface MemberRecord {
  readonly id: string;
  readonly accountId: string;
  readonly personId: string;
  readonly role: MemberRole;
  readonly createdAt: Date;
}

export interface MemberOfAccount extends MemberRecord {
  readonly person: { readonly email: string; readonly name: string };
}

export const MEMBER_FIELDS = { id: true, accountId: true, personId: true, role: true, createdAt: true } as const;

interface Row {
  readonly id: string;
  readonly accountId: string;
  readonly personId: string;
  readonly role: string;
  readonly createdAt: Date;
}

/** A constraint of the table admits only known roles. */
export const toMember = <Found extends Row>(row: Found): Found & MemberRecord => row as Found & MemberRecord;
