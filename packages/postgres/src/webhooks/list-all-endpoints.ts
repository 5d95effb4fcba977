import type { Database } from '../database.js';
import type { WebhookEndpointRecord } from './endpoints.js';

export const ENDPOINT_STATES = ['failing', 'disabled', 'healthy'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** An endpoint as operators see it. */
export interface OwnedEndpoint extends WebhookEndpointRecord {
  readonly accountId: string;
  readonly accountEmail: string;
  /** Deliveries that wait. */
  readonly pending: number;
}

const CONDITIONS = {
  failing: { disabledAt: null, consecutiveFailures: { gt: 0 } },
  disabled: { disabledAt: { not: null } },
  healthy: { disabledAt: null, consecutiveFailures: 0 },
} as const satisfies Record<EndpointState, object>;

/** Endpoints of all accounts, in the order of their ids. Undefined: every state, every account. */
export async function listAllEndpoints(
  { prisma }: Database,
  page: {
    readonly state?: EndpointState | undefined;
    readonly accountId?: string | undefined;
    readonly afterId: string | null;
    readonly limit: number;
  },
): Promise<readonly OwnedEndpoint[]> {
  const { state, accountId, afterId, limit } = page;
  const rows = await prisma.webhookEndpoint.findMany({
    where: {
      deletedAt: null,
      ...(state !== undefined && CONDITIONS[state]),
      ...(accountId !== undefined && { accountId }),
      ...(afterId !== null && { id: { gt: afterId } }),
    },
    orderBy: { id: 'asc' },
    take: limit,
    include: { account: { select: { email: true } } },
  });
  const waiting = await prisma.webhookDelivery.groupBy({
    by: ['endpointId'],
    where: { endpointId: { in: rows.map(({ id }) => id) }, state: 'pending' },
    _count: true,
  });
  const pendingOf = new Map(waiting.map(({ endpointId, _count }) => [endpointId, _count]));
  return rows.map(({ account, ...endpoint }) => ({
    ...endpoint,
    accountEmail: account.email,
    pending: pendingOf.get(endpoint.id) ?? 0,
  }));
}
