import { TICKET_QUEUE_KINDS, type Vendor } from '@gateway/contracts';
import { HttpPools, INTERNAL_SERVICES } from '@gateway/http';
import { closeInOrder, type Logger, logOutages, type Metrics, serveProbesWhile } from '@gateway/observability';
import {
  openBatchReader,
  openContentWriter,
  openKeyReader,
  openRequestReader,
  openResponseState,
  openResponseStore,
  openStoredObjects,
  openTaskReader,
} from '@gateway/postgres';
import {
  AdmissionStore,
  connectRedisPair,
  createPollQueue,
  createTicketQueue,
  IdempotencyStore,
  KeyCache,
  LiveResponses,
  openSettler,
  RecentRefusals,
  type RedisConnection,
  type RedisPair,
  type Settler,
  subscribeInvalidations,
  subscribeTaskChanges,
} from '@gateway/redis';
import { RelayServer } from '@gateway/relay';
import { measureOperations, type ObjectStore, openStore } from '@gateway/store';
import { reportFaults, ThreadPool } from '@gateway/threads';
import type { Provider } from '@nestjs/common';
import { createBillingClient } from './admit/billing-client.js';
import type { KeyLookup } from './authenticate/key-lookup.service.js';
import type { TaskChanges } from './follow-tasks/task-changes.service.js';
import {
  ADMISSION_STORE,
  BATCH_READER,
  BILLING_CLIENT,
  CONTENT_WRITER,
  CONVERSATIONS,
  type EdgeConfig,
  IDEMPOTENCY_STORE,
  KEY_CACHE,
  KEY_READER,
  LIVE_RESPONSES,
  OBJECT_STORE,
  POLL_QUEUES,
  RECENT_REFUSALS,
  RELAY_SERVER,
  REQUEST_READER,
  RESPONSE_STORE,
  SETTLER,
  STORED_OBJECTS,
  STORED_RESPONSES,
  TASK_READER,
  THREADS,
  TICKET_QUEUES,
} from './tokens.js';
import { UploadFolder } from './uploads/upload-folder.js';

const REDIS_CLOSE_TIMEOUT_MS = 5_000;
const KEY_POOL_SIZE = 4;
const RESPONSE_POOL_SIZE = 2;
const STATE_POOL_SIZE = 4;
const REQUEST_POOL_SIZE = 4;
const BATCH_POOL_SIZE = 2;
const FILE_POOL_SIZE = 2;
const CONTENT_POOL_SIZE = 2;
/** A client waits, and a dead machine refuses no connection. */
const QUERY_TIMEOUT_MS = 5_000;
/** One may wait for the processor while the other one works. */
const MAX_THREADS = 2;

/** The connections and servers of this process. `close` ends them in order. */
export interface EdgeResources {
  readonly providers: readonly Provider[];
  readonly redis: RedisPair;
  readonly relay: RelayServer;
  readonly settler: Settler;
  /** Subscribes: each published key change removes the key from the lookup. */
  followKeyChanges(keys: KeyLookup): void;
  /** Subscribes: each published task change wakes the waiters of the task. */
  followTaskChanges(changes: TaskChanges): void;
  close(): Promise<void>;
}

export async function openResources(
  config: EdgeConfig,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Promise<EdgeResources> {
  const logOutage = logOutages(logger);
  const redis = connectRedisPair(config, (error, store) => logOutage(store, error));
  await serveProbesWhile(redis.ready(), {
    host: config.host,
    port: config.opsPort ?? config.port,
    checks: redis.checks,
    metrics,
  });
  const store = new AdmissionStore(redis.money, { leaseMs: config.leaseMs });
  const queues = await openQueues(redis.queues, config.vendors);
  const relay = await openRelay(config, logOutage);
  const settler = openSettler(store, config.spoolDirectory, logger);
  const postgres = openPostgres(config, logOutage);
  const uploads = await UploadFolder.open(config.uploadDirectory, `edge-${config.relayPort}`);
  const threads = new ThreadPool({
    file: new URL('./endpoints/long-json-thread.js', import.meta.url),
    maxThreads: MAX_THREADS,
    onFault: reportFaults(metrics, logger),
  });
  const objects = await openObjects(config, metrics);
  const pools = new HttpPools(INTERNAL_SERVICES);
  const billing = createBillingClient(pools, { url: config.billingUrl, token: config.internalToken }, logger);
  const idempotency = new IdempotencyStore(redis.money, {
    leaseMs: config.idempotencyLeaseMs,
    // An edge or a worker renews three times per lease, so both are gone after two leases.
    abandonedAfterMs: 2 * config.leaseMs,
  });
  return {
    providers: [
      { provide: ADMISSION_STORE, useValue: store },
      { provide: IDEMPOTENCY_STORE, useValue: idempotency },
      { provide: KEY_CACHE, useValue: new KeyCache(redis.money) },
      { provide: SETTLER, useValue: settler },
      { provide: RELAY_SERVER, useValue: relay },
      { provide: THREADS, useValue: threads },
      { provide: UploadFolder, useValue: uploads },
      { provide: BILLING_CLIENT, useValue: billing },
      { provide: OBJECT_STORE, useValue: objects },
      { provide: RECENT_REFUSALS, useValue: new RecentRefusals(redis.queues) },
      { provide: LIVE_RESPONSES, useValue: new LiveResponses(redis.queues) },
      ...queues.providers,
      ...postgres.providers,
    ],
    redis,
    relay,
    settler,
    followKeyChanges: (keys) => followKeyChanges(config, keys, logger),
    followTaskChanges: (changes) => followTaskChanges(config, changes, logger),
    close: () =>
      closeInOrder(
        [
          () => relay.close(),
          ...queues.closers,
          () => redis.close(REDIS_CLOSE_TIMEOUT_MS),
          ...postgres.closers,
          () => pools.close(),
          () => threads.close(),
        ],
        logger,
      ),
  };
}

/** Undefined: this deployment keeps no results. */
async function openObjects({ store }: EdgeConfig, metrics: Metrics): Promise<ObjectStore | undefined> {
  return store === undefined ? undefined : openStore(store, { onOperation: measureOperations(metrics) });
}

type LogOutage = ReturnType<typeof logOutages>;

async function openRelay(config: EdgeConfig, logOutage: LogOutage): Promise<RelayServer> {
  const [secret, ...otherSecrets] = config.relaySecrets;
  const relay = new RelayServer({
    host: config.host,
    port: config.relayPort,
    secret,
    otherSecrets,
    onError: (error) => logOutage('relay', error),
  });
  await relay.listen();
  return relay;
}

async function openQueues(redis: RedisConnection, vendors: readonly Vendor[]) {
  const tickets = await Promise.all(
    TICKET_QUEUE_KINDS.map(
      async (kind) => [kind, await openEach(vendors, (vendor) => createTicketQueue(redis, kind, vendor))] as const,
    ),
  );
  const polls = await openEach(vendors, (vendor) => createPollQueue(redis, vendor));
  return {
    providers: [
      { provide: TICKET_QUEUES, useValue: Object.fromEntries(tickets) },
      { provide: POLL_QUEUES, useValue: polls },
    ],
    closers: [...tickets.flatMap(([, queues]) => [...queues.values()]), ...polls.values()].map(
      (queue) => () => queue.close(),
    ),
  };
}

async function openEach<Queue>(
  vendors: readonly Vendor[],
  open: (vendor: Vendor) => Promise<Queue>,
): Promise<ReadonlyMap<Vendor, Queue>> {
  return new Map(await Promise.all(vendors.map(async (vendor) => [vendor, await open(vendor)] as const)));
}

/** A pool for each use: slow reads of tasks or responses must not delay authentication. */
function openPostgres({ databaseUrl, taskPoolSize, contentKeys }: EdgeConfig, logOutage: LogOutage) {
  const onError = (error: Error): void => logOutage('postgres', error);
  // Its statements may carry many megabytes.
  const largePool = (applicationName: string, poolSize: number) => ({
    databaseUrl,
    poolSize,
    applicationName,
    onError,
  });
  const pool = (applicationName: string, poolSize: number) => ({
    ...largePool(applicationName, poolSize),
    queryTimeoutMs: QUERY_TIMEOUT_MS,
  });
  const keys = openKeyReader(pool('api-edge', KEY_POOL_SIZE));
  const responses = openResponseStore(largePool('api-edge-answers', RESPONSE_POOL_SIZE));
  const tasks = openTaskReader(pool('api-edge-tasks', taskPoolSize));
  const state = openResponseState(largePool('api-edge-state', STATE_POOL_SIZE));
  const batches = openBatchReader(pool('api-edge-batches', BATCH_POOL_SIZE));
  const requests = openRequestReader(pool('api-edge-requests', REQUEST_POOL_SIZE));
  const objects = openStoredObjects(pool('api-edge-files', FILE_POOL_SIZE));
  // Without a key nothing may be kept.
  const contents =
    contentKeys.length === 0
      ? undefined
      : openContentWriter({ ...largePool('api-edge-contents', CONTENT_POOL_SIZE), contentKeys });
  return {
    providers: [
      { provide: CONTENT_WRITER, useValue: contents },
      { provide: KEY_READER, useValue: keys },
      { provide: RESPONSE_STORE, useValue: responses },
      { provide: TASK_READER, useValue: tasks },
      { provide: STORED_RESPONSES, useValue: state.responses },
      { provide: CONVERSATIONS, useValue: state.conversations },
      { provide: REQUEST_READER, useValue: requests },
      { provide: BATCH_READER, useValue: batches },
      { provide: STORED_OBJECTS, useValue: objects },
    ],
    closers: [keys, batches, responses, tasks, requests, objects, state, contents]
      .filter((pool) => pool !== undefined)
      .map((pool) => () => pool.close()),
  };
}

function followKeyChanges({ redisUrl: url }: EdgeConfig, keys: KeyLookup, logger: Logger): void {
  subscribeInvalidations({
    url,
    onInvalidated: (keySha256) => keys.forget(keySha256),
    onError: (error) => logger.warn({ err: error }, 'subscription to key changes failed'),
  });
}

function followTaskChanges(
  { queueRedisUrl: url, relayAdvertisedUrl: edge }: EdgeConfig,
  changes: TaskChanges,
  logger: Logger,
): void {
  subscribeTaskChanges({
    url,
    onChange: ({ taskId, isBegun }) => changes.notify(taskId, isBegun),
    ends: { edge, onEnd: (end) => changes.notifyEnd(end) },
    onError: (error) => logger.warn({ err: error }, 'subscription to task changes failed'),
  });
}
