import { useLingui } from '@lingui/react/macro';
import type { Role } from '../api/roles.js';

interface RoleWords {
  readonly name: string;
  /** What the role may do, in one line. */
  readonly may: string;
}

export function useRoleWords(): Readonly<Record<Role, RoleWords>> {
  const { t } = useLingui();
  return {
    owner: { name: t`Owner`, may: t`Everything: settings, caps, all keys, members, and who changed what.` },
    developer: { name: t`Developer`, may: t`Own keys and webhooks; reads usage, requests and members.` },
    billing: { name: t`Billing`, may: t`Reads the ledger, statements, usage, requests and members.` },
    viewer: { name: t`Viewer`, may: t`Reads the balance, usage, requests, webhooks and members.` },
  };
}
