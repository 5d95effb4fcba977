import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ChannelControl, ChannelReport, ProcessReport } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import type { RedisConnection } from '../connection/connect-redis.js';
import { RELEASE } from '../release.js';
import { ChannelBoard } from './channel-board.js';

const INTERVAL_MS = 1_000;
/** While nothing changes. Well below the ten seconds after which a process counts as gone. */
const MAX_INTERVAL_MS = 3_000;
/** Of a process without channels, which has nothing to apply. */
const PRESENCE_MS = 3_000;

/** The channels of a process, as `ChannelFailover` has them. */
export interface ControlledChannels {
  report(nowMs: number): readonly ChannelReport[];
  control(controls: readonly ChannelControl[]): void;
}

export interface ChannelSyncOptions {
  readonly service: string;
  readonly board: Pick<ChannelBoard, 'report' | 'controls' | 'leave'>;
  readonly channels: ControlledChannels;
  readonly slots?: () => ProcessReport['slots'];
  readonly logger: Logger;
  readonly intervalMs?: number;
}

/** Reports this process's channels, and applies what administrators have set. No request waits for it. */
export class ChannelSync {
  readonly #processId = randomUUID();
  readonly #startedAtMs = Date.now();
  readonly #loop: Loop;
  #exchanged = '';

  constructor(private readonly options: ChannelSyncOptions) {
    this.#loop = new Loop({
      intervalMs: options.intervalMs ?? INTERVAL_MS,
      maxIntervalMs: Math.max(options.intervalMs ?? 0, MAX_INTERVAL_MS),
      run: async () => {
        if (!(await this.exchange())) this.#loop.backOff();
      },
      onError: (error) => options.logger.warn({ err: error }, 'channels not exchanged with operators'),
    });
  }

  /** Resolves after the first exchange, so that a worker begins with what administrators have set. */
  async start(): Promise<void> {
    await this.exchange().catch((error: unknown) => {
      this.options.logger.warn({ err: error }, 'channels not exchanged with operators');
    });
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.options.board.leave(this.#processId);
  }

  /** False: nothing has changed since the last exchange. */
  async exchange(): Promise<boolean> {
    const nowMs = Date.now();
    const { service, board, channels, slots } = this.options;
    const controls = await board.controls();
    if (controls !== null) channels.control(controls);
    const state = { channels: [...channels.report(nowMs)], slots: slots?.() ?? [] };
    await board.report({
      processId: this.#processId,
      service,
      release: RELEASE,
      host: hostname(),
      startedAtMs: this.#startedAtMs,
      atMs: nowMs,
      ...state,
    });
    const exchanged = JSON.stringify([controls, state]);
    const isChanged = exchanged !== this.#exchanged;
    this.#exchanged = exchanged;
    return isChanged;
  }
}

const NO_CHANNELS: ControlledChannels = { report: () => [], control: () => undefined };

/** Reports a process that calls no vendor, so that operators see each copy of each service. `redis` is that of the queues. */
export function reportProcess(service: string, redis: RedisConnection, logger: Logger): ChannelSync {
  const board = new ChannelBoard(redis);
  const sync = new ChannelSync({ service, board, channels: NO_CHANNELS, logger, intervalMs: PRESENCE_MS });
  void sync.start();
  return sync;
}
