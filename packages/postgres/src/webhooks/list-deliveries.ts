import type { Database } from '../database.js';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface WebhookAttemptRecord {
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
}

export interface WebhookDeliveryRecord {
  readonly id: string;
  /** Rises with each delivery: the cursor of the list. */
  readonly sequence: bigint;
  readonly endpointId: string | null;
  readonly url: string;
  readonly state: string;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly event: { readonly publicId: string; readonly type: string; readonly subject: string };
  /** The newest first, at most twenty. */
  readonly attemptLog: readonly WebhookAttemptRecord[];
}

export interface DeliveryQuery {
  readonly before: bigint | null;
  readonly limit: number;
  readonly endpointId?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** `evt_…` */
  readonly eventId?: string | undefined;
}

const MAX_ATTEMPTS = 20;
const FIELDS = {
  event: { select: { publicId: true, type: true, subject: true } },
  attemptLog: { orderBy: { number: 'desc' }, take: MAX_ATTEMPTS },
} as const;

/** An account's deliveries, the newest first. */
export const listDeliveries = (
  { prisma }: Database,
  accountId: string,
  { before, limit, endpointId, state, eventId }: DeliveryQuery,
): Promise<WebhookDeliveryRecord[]> =>
  prisma.webhookDelivery.findMany({
    where: {
      accountId,
      ...(before === null ? {} : { sequence: { lt: before } }),
      ...(endpointId === undefined ? {} : { endpointId }),
      ...(state === undefined ? {} : { state }),
      ...(eventId === undefined ? {} : { event: { publicId: eventId } }),
    },
    include: FIELDS,
    orderBy: { sequence: 'desc' },
    take: limit,
  });

/** A delivery with the event that it carries. */
export interface WebhookDeliveryDetails extends WebhookDeliveryRecord {
  readonly event: WebhookDeliveryRecord['event'] & { readonly data: unknown; readonly createdAt: Date };
}

export const findDelivery = (
  { prisma }: Database,
  accountId: string,
  id: string,
): Promise<WebhookDeliveryDetails | null> =>
  prisma.webhookDelivery.findFirst({
    where: { id, accountId },
    include: { ...FIELDS, event: { select: { ...FIELDS.event.select, data: true, createdAt: true } } },
  });
