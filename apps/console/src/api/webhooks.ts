import { queryOptions } from '@tanstack/react-query';
import { get } from './call.js';
import type { Documented } from './documented.js';

/** One endpoint of `GET /account/webhook-endpoints`. */
export type WebhookEndpoint = Documented['WebhookEndpoint'] & { readonly secret?: string };

export interface DeliveryAttempt {
  readonly number: number;
  readonly started_at: string;
  readonly duration_ms: number | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly response_body: string | null;
}

/** One delivery of `GET /account/webhook-deliveries`. */
export interface Delivery {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string; readonly subject: string | null };
  readonly endpoint_id: string | null;
  readonly url: string;
  readonly state: 'pending' | 'delivered' | 'failed' | 'cancelled';
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly attempt_log: readonly DeliveryAttempt[];
}

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

/** `GET /account/webhook-deliveries/{id}`: a delivery with the body that it sends. */
export interface DeliveryWithBody extends Delivery {
  readonly body: string;
}

/** No event announces an attempt. */
const PENDING_MS = 2_000;

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-delivery', id],
    queryFn: ({ signal }) => get<DeliveryWithBody>(`/account/webhook-deliveries/${encodeURIComponent(id)}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? PENDING_MS : false),
  });
