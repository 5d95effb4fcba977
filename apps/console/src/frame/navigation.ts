import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import {
  Activity,
  Boxes,
  Clapperboard,
  CreditCard,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Rocket,
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
