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

export interface Destination {
  readonly to: string;
  readonly label: MessageDescriptor;
  readonly icon: LucideIcon;
}

/** The pages of a customer, in the order of a first visit. */
export const DESTINATIONS: readonly Destination[] = [
  { to: '/first-call', label: msg`First call`, icon: Rocket },
  { to: '/', label: msg`Overview`, icon: LayoutDashboard },
  { to: '/requests', label: msg`Requests`, icon: Activity },
  { to: '/playground', label: msg`Playground`, icon: FlaskConical },
  { to: '/media', label: msg`Tasks and media`, icon: Clapperboard },
  { to: '/keys', label: msg`Keys`, icon: KeyRound },
  { to: '/models', label: msg`Models`, icon: Boxes },
  { to: '/webhooks', label: msg`Webhooks`, icon: Webhook },
  { to: '/billing', label: msg`Billing`, icon: CreditCard },
  { to: '/account', label: msg`Account`, icon: Settings },
];
