export const ROLES = ['owner', 'developer', 'billing', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** An owner has every right; a developer and a biller have those of a viewer, too. */
export const includesRole = (role: Role, least: Role): boolean =>
  role === 'owner' || role === least || least === 'viewer';
