import { AudioEncoders } from '@gateway/audio';
import { FileAddresses, RESULT_LINK_SECONDS } from '@gateway/contracts';
import { HttpPools } from '@gateway/http';
import { closeInOrder, type Logger, logOutages, type Metrics, serveProbesWhile } from '@gateway/observability';
import { openFetchedResults, openRequestStore, openResponseStore } from '@gateway/postgres';
import {
  AdmissionStore,
  connectRedisPair,
  createTicketWorker,
  IdempotencyStore,
  LiveResponses,
  openSettler,
  type RedisPair,
  type Settler,
} from '@gateway/redis';
import { RelayPool } from '@gateway/relay';
import { measureOperations, openStore } from '@gateway/store';
import { reportFaults, SessionThreads } from '@gateway/threads';
import type { Provider } from '@nestjs/common';
import type { ImageResults } from './keep-images/name-images.service.js';
import { EdgeRequests } from './keep-left-responses/edge-requests.js';
import { LeftResponseStore } from './keep-left-responses/left-response-store.js';
import { type KeptResources, originProviders } from './keep-requests/providers.js';
import { openTicketQueues } from './keep-requests/queue-again.js';
import { keptRequestGauges } from './observability/metrics.js';
import {
  ADMISSION_STORE,
  AUDIO_ENCODERS,
  CREATE_QUEUE_WORKER,
  HTTP_POOLS,
  IMAGE_RESULTS,
  REDIS,
  SETTLER,
  THREADS,
  type WorkerConfig,
} from './tokens.js';

const REDIS_CLOSE_TIMEOUT_MS = 5_000;
const RESPONSE_POOL_SIZE = 2;
const IMAGE_POOL_SIZE = 2;
/** One long request delays only half of the others. */
const MAX_THREADS = 2;

/** The connections, pools and thread that this worker opens at boot and closes at shutdown. */
export class WorkerResources {
  private constructor(
    readonly providers: readonly Provider[],
    readonly redis: RedisPair,
    readonly relay: RelayPool,
    readonly settler: Settler,
    private readonly closers: readonly (() => Promise<unknown>)[],
    private readonly logger: Logger,
  ) {}

  static async open(
    config: WorkerConfig,
    workerId: string,
    { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
  ): Promise<WorkerResources> {
    const logOutage = logOutages(logger);
    const redis = connectRedisPair(config, (error, store) => logOutage(store, error));
    const { host, port } = config;
    await serveProbesWhile(redis.ready(), { host, port, checks: redis.checks, metrics });
    const store = new AdmissionStore(redis.money);
    const settler = openSettler(store, config.spoolDirectory, logger);
    const relay = new RelayPool({
      workerId,
      secret: config.relaySecret,
      onError: (error) => logOutage('relay', error),
    });
    const kept = await openKept(config, redis, { metrics, onError: (error) => logOutage('postgres', error) });
    const images = openImages(config, (error) => logOutage('postgres', error));
    const left = openLeftResponses(config, redis, logger, (error) => logOutage('postgres', error));
    // One connection for each concurrent ticket: with fewer, a ticket would wait for another one's response.
    const pools = new HttpPools({ connections: config.workerConcurrency });
    const audio = new AudioEncoders();
    const file = new URL('./adapters/in-thread/thread.js', import.meta.url);
    const threads = new SessionThreads({
      file,
      maxThreads: MAX_THREADS,
      onFault: reportFaults(metrics, logger),
    });
    const providers: Provider[] = [
      { provide: SETTLER, useValue: settler },
      { provide: ADMISSION_STORE, useValue: store },
      { provide: REDIS, useValue: redis },
      { provide: IMAGE_RESULTS, useValue: images?.results },
      ...originProviders(new EdgeRequests(relay, left.store), kept?.resources),
      { provide: HTTP_POOLS, useValue: pools },
      { provide: AUDIO_ENCODERS, useValue: audio },
      { provide: THREADS, useValue: threads },
      { provide: CREATE_QUEUE_WORKER, useValue: createTicketWorker },
    ];
    const closers = [
      ...(kept?.closers ?? []),
      ...(images === undefined ? [] : [images.close]),
      ...left.closers,
      () => relay.close(),
      () => pools.close(),
      () => audio.close(),
      () => threads.close(),
      () => redis.close(REDIS_CLOSE_TIMEOUT_MS),
    ];
    return new WorkerResources(providers, redis, relay, settler, closers, logger);
  }

  /** Drains settlements first: they need Redis. */
  async close(remainingMs: number): Promise<void> {
    const left = await this.settler.drain(remainingMs);
    if (left > 0) this.logger.error({ left }, 'settlements are left to the spool');
    await closeInOrder(this.closers, this.logger);
  }
}

interface KeptPorts {
  readonly metrics: Metrics;
  readonly onError: (error: Error) => void;
}

/** Without a database, responses that are too long for Redis are not stored. */
function openLeftResponses(
  { databaseUrl }: WorkerConfig,
  redis: RedisPair,
  logger: Logger,
  onError: (error: Error) => void,
): { readonly store: LeftResponseStore; readonly closers: readonly (() => Promise<unknown>)[] } {
  const responses =
    databaseUrl === undefined
      ? undefined
      : openResponseStore({
          databaseUrl,
          poolSize: RESPONSE_POOL_SIZE,
          applicationName: 'sync-worker-responses',
          onError,
        });
  return {
    store: new LeftResponseStore(new IdempotencyStore(redis.money), responses, logger),
    closers: responses === undefined ? [] : [() => responses.close()],
  };
}

/** Undefined: images keep the addresses of their vendors. */
function openImages(
  { store, databaseUrl, publicApiUrl, fileSigningSecrets }: WorkerConfig,
  onError: (error: Error) => void,
): { readonly results: ImageResults; readonly close: () => Promise<unknown> } | undefined {
  if (store === undefined || databaseUrl === undefined || publicApiUrl === undefined) return undefined;
  const applicationName = 'sync-worker-images';
  const rows = openFetchedResults({ databaseUrl, poolSize: IMAGE_POOL_SIZE, applicationName, onError });
  const addresses = new FileAddresses(fileSigningSecrets);
  const linkOf: ImageResults['linkOf'] = (fileId) => addresses.sign(publicApiUrl, fileId, RESULT_LINK_SECONDS);
  return { results: { rows, linkOf }, close: () => rows.close() };
}

/** Undefined: this deployment keeps no results. */
async function openKept(
  { store, databaseUrl, requestPoolSize, liveLimits: limits, vendors }: WorkerConfig,
  redis: RedisPair,
  { metrics, onError }: KeptPorts,
): Promise<{ readonly resources: KeptResources; readonly closers: readonly (() => Promise<unknown>)[] } | undefined> {
  if (store === undefined || databaseUrl === undefined) return undefined;
  const objects = await openStore(store, { onOperation: measureOperations(metrics) });
  const requests = openRequestStore({
    databaseUrl,
    poolSize: requestPoolSize,
    applicationName: 'sync-worker-requests',
    onError,
  });
  keptRequestGauges(metrics, requests);
  const tickets = await openTicketQueues(redis.queues, vendors);
  return {
    resources: { requests, objects, queueAgain: tickets.queueAgain, live: new LiveResponses(redis.queues, { limits }) },
    closers: [() => tickets.close(), () => requests.close()],
  };
}
