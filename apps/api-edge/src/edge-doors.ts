import type { Vendor } from '@gateway/contracts';
import { HttpPools, INTERNAL_SERVICES } from '@gateway/http';
import { closeInOrder, type Logger } from '@gateway/observability';
import { openKeyReader, openResponseStore } from '@gateway/postgres';
import {
  AdmissionStore,
  connectRedisPair,
  createSyncQueue,
  IdempotencyStore,
  KeyCache,
  openSettler,
  type RedisConnection,
  type RedisPair,
  type Settler,
  type SyncQueue,
  subscribeInvalidations,
} from '@gateway/redis';
import { RelayServer } from '@gateway/relay';
import type { Provider } from '@nestjs/common';
import { askBilling } from './ask-billing.js';
import type { KeyReader } from './authenticate/key-directory.service.js';
import { BILLING_CLIENT } from './billing-client.js';
import type { EdgeConfig } from './edge-config.js';
import { ANSWER_SHELF, KEY_STORE } from './postgres-doors.js';
import { ADMISSION_STORE, IDEMPOTENCY_STORE, KEY_CACHE, SETTLER, SYNC_QUEUES } from './redis-doors.js';
import { RELAY_SERVER } from './relay-door.js';
import { UploadFolder } from './uploads/upload-folder.js';
import { openVideoDoors, type VideoDoors } from './video-doors.js';

const REDIS_WAIT_MS = 60_000;
const KEY_POOL_SIZE = 4;
const SHELF_POOL_SIZE = 2;
const CLOSE_MS = 5_000;

/** Everything outside this process that the edge holds open. */
export class EdgeDoors {
  private constructor(
    readonly providers: readonly Provider[],
    readonly redis: RedisPair,
    readonly relay: RelayServer,
    readonly settler: Settler,
    readonly video: VideoDoors,
    private readonly closers: readonly (() => Promise<unknown>)[],
    private readonly config: EdgeConfig,
    private readonly logger: Logger,
  ) {}

  static async open(config: EdgeConfig, logger: Logger): Promise<EdgeDoors> {
    const redis = connectRedisPair(config, (error, store) => logger.warn({ err: error }, store));
    await redis.ready(AbortSignal.timeout(REDIS_WAIT_MS));
    const store = new AdmissionStore(redis.money, { leaseMs: config.leaseMs });
    const queues = await openQueues(redis.queues, config);
    const [secret, ...otherSecrets] = config.relaySecrets;
    const relay = new RelayServer({
      host: config.host,
      port: config.relayPort,
      secret,
      otherSecrets,
      onError: (error) => logger.warn({ err: error }, 'relay'),
    });
    await relay.listen();
    const settler = openSettler(store, config.spoolDirectory, (error, { requestId }) =>
      logger.warn({ err: error, requestId }, 'settlement is tried again'),
    );
    const keys = openKeyReader({
      databaseUrl: config.databaseUrl,
      poolSize: KEY_POOL_SIZE,
      applicationName: 'api-edge',
      onError: (error) => logger.warn({ err: error }, 'postgres'),
    });
    const shelf = openResponseStore({
      databaseUrl: config.databaseUrl,
      poolSize: SHELF_POOL_SIZE,
      applicationName: 'api-edge-answers',
      onError: (error) => logger.warn({ err: error }, 'postgres'),
    });
    const uploads = await UploadFolder.open(config.uploadDirectory, `edge-${config.relayPort}`);
    const pools = new HttpPools(INTERNAL_SERVICES);
    const video = await openVideoDoors(redis.queues, config, logger);
    const providers: Provider[] = [
      { provide: ADMISSION_STORE, useValue: store },
      {
        provide: IDEMPOTENCY_STORE,
        useValue: new IdempotencyStore(redis.money, { leaseMs: config.idempotencyLeaseMs }),
      },
      { provide: KEY_CACHE, useValue: new KeyCache(redis.money) },
      { provide: SYNC_QUEUES, useValue: queues },
      { provide: SETTLER, useValue: settler },
      { provide: RELAY_SERVER, useValue: relay },
      { provide: KEY_STORE, useValue: keys },
      { provide: ANSWER_SHELF, useValue: shelf },
      { provide: UploadFolder, useValue: uploads },
      {
        provide: BILLING_CLIENT,
        useValue: askBilling(pools, { url: config.billingUrl, token: config.internalToken }, logger),
      },
      ...video.providers,
    ];
    const closers = [
      () => relay.close(),
      ...[...queues.values()].map((queue) => () => queue.close()),
      () => video.close(),
      () => redis.close(CLOSE_MS),
      () => keys.close(),
      () => shelf.close(),
      () => pools.close(),
    ];
    return new EdgeDoors(providers, redis, relay, settler, video, closers, config, logger);
  }

  /** Published key changes reach this process's memory from here on. */
  followKeyChanges(directory: KeyReader): { close(): void } {
    return subscribeInvalidations({
      url: this.config.redisUrl,
      onInvalidated: (keys) => directory.forget(keys),
      onError: (error) => this.logger.warn({ err: error }, 'key changes'),
    });
  }

  async close(): Promise<void> {
    await closeInOrder(this.closers, this.logger);
  }
}

async function openQueues(redis: RedisConnection, config: EdgeConfig): Promise<Map<Vendor, SyncQueue>> {
  const opened = config.vendors.map(async (vendor) => [vendor, await createSyncQueue(redis, vendor)] as const);
  return new Map(await Promise.all(opened));
}
