import type { Database } from '../database.js';

/** Why an endpoint is disabled. `gone`: it returned 410. `only_failures`: every attempt failed for days. */
export type DisabledReason = 'by_you' | 'gone' | 'only_failures';

export interface WebhookEndpointRecord {
  readonly id: string;
  readonly url: string;
  /** Empty: the types that are sent by default. `*`: all. */
  readonly eventTypes: readonly string[];
  readonly description: string;
  readonly isTest: boolean;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  readonly consecutiveFailures: number;
  readonly failingSince: Date | null;
  readonly lastSuccessAt: Date | null;
  readonly createdAt: Date;
}

export interface NewWebhookEndpoint {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description: string;
  readonly isTest: boolean;
}

export type EndpointChange = Partial<Pick<NewWebhookEndpoint, 'eventTypes' | 'description'>>;

export type CreatedEndpoint =
  | { readonly outcome: 'created'; readonly id: string }
  | { readonly outcome: 'too_many' }
  | { readonly outcome: 'exists' };

/** An account's endpoints that are not deleted, the oldest first. */
export const listWebhookEndpoints = ({ prisma }: Database, accountId: string): Promise<WebhookEndpointRecord[]> =>
  prisma.webhookEndpoint.findMany({
    where: { accountId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

export const findWebhookEndpoint = (
  { prisma }: Database,
  accountId: string,
  id: string,
): Promise<WebhookEndpointRecord | null> =>
  prisma.webhookEndpoint.findFirst({ where: { id, accountId, deletedAt: null } });

/** `exists`: the account has an endpoint with that URL already. */
export async function createWebhookEndpoint(
  { prisma }: Database,
  accountId: string,
  endpoint: NewWebhookEndpoint,
  limit: number,
): Promise<CreatedEndpoint> {
  const [row] = await prisma.$queryRaw<CreatedEndpoint[]>`
    SELECT outcome, id FROM create_webhook_endpoint(${accountId}, ${endpoint.url}, ${[...endpoint.eventTypes]}::text[],
      ${endpoint.description}, ${endpoint.isTest}, ${limit}::int)`;
  if (row === undefined) throw new Error('create_webhook_endpoint() returned no row');
  return row;
}

/** False: there is no such endpoint. */
export async function changeWebhookEndpoint(
  { prisma }: Database,
  accountId: string,
  id: string,
  { eventTypes, description }: EndpointChange,
): Promise<boolean> {
  const { count } = await prisma.webhookEndpoint.updateMany({
    where: { id, accountId, deletedAt: null },
    data: {
      ...(eventTypes === undefined ? {} : { eventTypes: [...eventTypes] }),
      ...(description === undefined ? {} : { description }),
    },
  });
  return count > 0;
}

/** Enables an endpoint and resets its failures. Deliveries that were cancelled meanwhile stay cancelled. */
export async function enableWebhookEndpoint({ prisma }: Database, accountId: string, id: string): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const [row] = await prisma.$queryRaw<
      { done: boolean }[]
    >`SELECT enable_webhook_endpoint(${accountId}, ${id}) AS done`;
    isDone = row?.done ?? true;
  }
}

/**
 * Disables or deletes an endpoint and cancels up to 1,000 of its deliveries; `cancelOrphanedDeliveries` cancels the
 * others. False: there is no such endpoint.
 */
export async function endWebhookEndpoint(
  { prisma }: Database,
  accountId: string,
  id: string,
  end: 'disabled' | 'deleted',
): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ ended: boolean }[]>`
    SELECT end_webhook_endpoint(${accountId}, ${id}, ${end === 'deleted'}) AS ended`;
  return row?.ended ?? false;
}

/** Cancels up to 1,000 pending deliveries of an endpoint that has ended. False: there are none. */
export async function cancelOrphanedDeliveries({ prisma }: Database): Promise<boolean> {
  const [row] = await prisma.$queryRaw<{ found: boolean }[]>`SELECT cancel_orphaned_deliveries() AS found`;
  return row?.found ?? false;
}

/** Sends a test event to one endpoint, whatever its filter. Null: there is no such endpoint, or it is disabled. */
export async function sendTestEvent(
  { prisma }: Database,
  accountId: string,
  endpointId: string,
): Promise<{ readonly eventId: string; readonly deliveryId: string } | null> {
  const data = JSON.stringify({ endpoint: endpointId, message: 'This is a test: your endpoint works.' });
  const [row] = await prisma.$queryRaw<{ eventId: string; deliveryId: string }[]>`
    SELECT event_id AS "eventId", delivery_id AS "deliveryId"
    FROM emit_event_to_endpoint(${accountId}, ${endpointId}, 'webhook.test', ${data}::jsonb)`;
  return row ?? null;
}
