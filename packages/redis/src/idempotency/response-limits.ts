import { IDEMPOTENCY_RETENTION_MS } from './idempotency-store.js';

/** A longer response goes to PostgreSQL. */
export const MAX_REDIS_BYTES = 1024 * 1024;
/** There it is in chunks of about this size: one statement writes one. */
export const SPILL_CHUNK_BYTES = 1024 * 1024;
/** Chunks expire an hour after the record that refers to them, so that a reader never loses one. */
export const SPILL_RETENTION_MS = IDEMPOTENCY_RETENTION_MS + 60 * 60 * 1_000;
/** Of a stream that its client still reads, a longer beginning is not kept: most streams that clients leave are shorter. */
export const MAX_EARLIER_BYTES = 256 * 1024;
