/** What a person may do in an organisation. */
export const MEMBER_ROLES = ['owner', 'developer', 'billing', 'viewer'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

const INCLUDED: Readonly<Record<MemberRole, readonly MemberRole[]>> = {
  owner: MEMBER_ROLES,
  developer: ['developer', 'viewer'],
  billing: ['billing', 'viewer'],
  viewer: ['viewer'],
};

/** True if a role has the rights of another: an owner all, a developer and a biller those of a viewer too. */
export const includesRole = (role: MemberRole, least: MemberRole): boolean => INCLUDED[role].includes(least);
