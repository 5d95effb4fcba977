import { AudioEncoders } from '@gateway/audio';
import { HttpPools } from '@gateway/http';
import { closeInOrder, type Logger } from '@gateway/observability';
import { AdmissionStore, connectRedisPair, openSettler, type RedisPair, type Settler } from '@gateway/redis';
import { RelayPool } from '@gateway/relay';
import type { Provider } from '@nestjs/common';
import { AUDIO_ENCODERS } from './audio-door.js';
import { HTTP_POOLS } from './http-door.js';
import { SETTLER } from './redis-doors.js';
import { RELAY_POOL } from './relay-door.js';
import type { WorkerConfig } from './worker-config.js';

const REDIS_WAIT_MS = 60_000;
const CLOSE_MS = 5_000;

/** Everything outside this process that the worker holds open. */
export class WorkerDoors {
  private constructor(
    readonly providers: readonly Provider[],
    readonly redis: RedisPair,
    readonly relay: RelayPool,
    readonly settler: Settler,
    private readonly closers: readonly (() => Promise<unknown>)[],
    private readonly logger: Logger,
  ) {}

  static async open(config: WorkerConfig, workerId: string, logger: Logger): Promise<WorkerDoors> {
    const redis = connectRedisPair(config, (error, store) => logger.warn({ err: error }, store));
    await redis.ready(AbortSignal.timeout(REDIS_WAIT_MS));
    const store = new AdmissionStore(redis.money);
    const settler = openSettler(store, config.spoolDirectory, (error, { requestId }) =>
      logger.warn({ err: error, requestId }, 'settlement is tried again'),
    );
    const relay = new RelayPool({
      workerId,
      secret: config.relaySecret,
      onError: (error) => logger.warn({ err: error }, 'relay'),
    });
    // A request that waits for a connection waits behind others: as many as may run at once.
    const pools = new HttpPools({ connections: config.workerConcurrency });
    const audio = new AudioEncoders();
    const providers: Provider[] = [
      { provide: SETTLER, useValue: settler },
      { provide: RELAY_POOL, useValue: relay },
      { provide: HTTP_POOLS, useValue: pools },
      { provide: AUDIO_ENCODERS, useValue: audio },
    ];
    const closers = [() => relay.close(), () => pools.close(), () => audio.close(), () => redis.close(CLOSE_MS)];
    return new WorkerDoors(providers, redis, relay, settler, closers, logger);
  }

  /** Settlements first: without Redis they could not be made. */
  async close(remainingMs: number): Promise<void> {
    const left = await this.settler.drain(remainingMs);
    if (left > 0) this.logger.error({ left }, 'settlements are left to the spool');
    await closeInOrder(this.closers, this.logger);
  }
}
