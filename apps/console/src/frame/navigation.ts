import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  Activity,
  BellRing,
  Boxes,
  Building2,
  Cable,
  Clapperboard,
  CreditCard,
  Film,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  ListOrdered,
  type LucideIcon,
  Rocket,
  Scale,
  ScrollText,
  Server,
  Settings,
  Webhook,
} from 'lucide-react';

import { includesRole, type Role } from '../api/roles.js';
import { useAnySession } from '../api/session.js';

export interface Destination {
  readonly to: string;
  readonly label: MessageDescriptor;
  readonly icon: LucideIcon;
  /** The role that the page needs; null: none, because it is the person's own. */
  readonly least: Role | null;
}

/** The pages of a customer, in the order of a first visit. */
const DESTINATIONS: readonly Destination[] = [
  { to: '/first-call', label: msg`First call`, icon: Rocket, least: 'developer' },
  { to: '/', label: msg`Overview`, icon: LayoutDashboard, least: 'viewer' },
  { to: '/requests', label: msg`Requests`, icon: Activity, least: 'viewer' },
  { to: '/playground', label: msg`Playground`, icon: FlaskConical, least: 'developer' },
  { to: '/media', label: msg`Tasks and media`, icon: Clapperboard, least: 'viewer' },
  { to: '/keys', label: msg`Keys`, icon: KeyRound, least: 'developer' },
  { to: '/models', label: msg`Models`, icon: Boxes, least: 'viewer' },
  { to: '/webhooks', label: msg`Webhooks`, icon: Webhook, least: 'viewer' },
  { to: '/billing', label: msg`Billing`, icon: CreditCard, least: 'billing' },
  { to: '/account', label: msg`Account`, icon: Settings, least: null },
];

/** The pages that the role of the person may read. */
export function useDestinations(): readonly Destination[] {
  const { role } = useAnySession();
  return DESTINATIONS.filter(({ least }) => least === null || (role !== null && includesRole(role, least)));
}

/** The pages of operators need no role in an organisation. */
const OPERATOR_DESTINATIONS: readonly Destination[] = [
  { to: '/operator/accounts', label: msg`Accounts`, icon: Building2, least: null },
  { to: '/operator/channels', label: msg`Channels`, icon: Cable, least: null },
  { to: '/operator/queues', label: msg`Queues`, icon: ListOrdered, least: null },
  { to: '/operator/tasks', label: msg`Open tasks`, icon: Film, least: null },
  { to: '/operator/proof', label: msg`Prove the cent`, icon: Scale, least: null },
  { to: '/operator/webhooks', label: msg`All webhooks`, icon: Webhook, least: null },
  { to: '/operator/audit', label: msg`Audit`, icon: ScrollText, least: null },
  { to: '/operator/alerts', label: msg`Alerts`, icon: BellRing, least: null },
  { to: '/operator/system', label: msg`System`, icon: Server, least: null },
];

/** Empty for a customer, who neither sees nor opens them. */
export function useOperatorDestinations(): readonly Destination[] {
  const { administrator } = useAnySession();
  return administrator ? OPERATOR_DESTINATIONS : [];
}
