import type { ApiEdgeConfig } from '@gateway/config';

export type EdgeConfig = ApiEdgeConfig;

/** Injection tokens of what is opened before Nest starts. `resources.ts` and `app.module.ts` provide them. */
export const EDGE_CONFIG = Symbol('EdgeConfig');
export const EDGE_METRICS = Symbol('EdgeMetrics');
export const LOGGER = Symbol('Logger');

export const ADMISSION_STORE = Symbol('AdmissionStore');
export const IDEMPOTENCY_STORE = Symbol('IdempotencyStore');
export const KEY_CACHE = Symbol('KeyCache');
export const SETTLER = Symbol('Settler');
/** `TicketQueues`: the queues of each kind, by vendor. */
export const TICKET_QUEUES = Symbol('TicketQueues');
/** By vendor. */
export const POLL_QUEUES = Symbol('PollQueues');

export const KEY_READER = Symbol('KeyReader');
export const TASK_READER = Symbol('TaskReader');
/** Responses that later requests may continue, in Postgres. */
export const STORED_RESPONSES = Symbol('StoredResponses');
export const CONVERSATIONS = Symbol('Conversations');
/** Responses in Postgres that are too large for Redis. */
export const RESPONSE_STORE = Symbol('ResponseStore');

export const BATCH_READER = Symbol('BatchReader');
/** Requests whose body and response are kept. */
export const REQUEST_READER = Symbol('RequestReader');
/** Signs addresses of files. */
export const FILE_ADDRESSES = Symbol('FileAddresses');
/** The rows of files in the store. */
export const STORED_OBJECTS = Symbol('StoredObjects');
/** The bytes of running streams. */
export const LIVE_RESPONSES = Symbol('LiveResponses');
/** The store of their bytes; undefined: this deployment keeps no results. */
export const OBJECT_STORE = Symbol('ObjectStore');

/** The edge's side of the relay. */
export const RELAY_SERVER = Symbol('RelayServer');
export const BILLING_CLIENT = Symbol('BillingClient');

/** The room of this process for bodies. */
export const BODY_ROOM = Symbol('BodyRoom');
/** The buckets of refused requests. */
export const REFUSALS = Symbol('Refusals');
/** How often an account reads. */
export const READ_PACE = Symbol('ReadPace');
/** `UnidentifiedClients`: their requests that are refused. */
export const UNIDENTIFIED_REFUSED = Symbol('UnidentifiedRefused');
/** `UnidentifiedClients`: their requests that are served, such as pages. */
export const UNIDENTIFIED_SERVED = Symbol('UnidentifiedServed');
/** The unknown keys that this process looks up for one address. */
export const UNKNOWN_KEYS = Symbol('UnknownKeys');
/** `RecentRefusals` */
export const RECENT_REFUSALS = Symbol('RecentRefusals');
export const REFUSAL_COUNTER = Symbol('RefusalCounter');
export const REQUEST_ROOM = Symbol('RequestRoom');
/** `ContentWriter`; undefined: this deployment keeps no prompts and answers. */
export const CONTENT_WRITER = Symbol('ContentWriter');
export const STORAGE_CHECK = Symbol('StorageCheck');
export const FUNDS_CHECK = Symbol('FundsCheck');
/** Threads for JSON that would block the event loop. */
export const THREADS = Symbol('Threads');
