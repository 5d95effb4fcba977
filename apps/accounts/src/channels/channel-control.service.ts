import { type Logger, Loop } from '@gateway/observability';
import { type ChannelControlChange, changeChannelControl, type Database, listChannelControls } from '@gateway/postgres';
import { ChannelBoard } from '@gateway/redis';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE, LOGGER } from '../tokens.js';

const PUBLISH_EVERY_MS = 10_000;

/**
 * Publishes what administrators have set for channels: at once after a change, and every ten seconds, because Redis may
 * have lost it. Every process publishes the same rows.
 */
@Injectable()
export class ChannelControls implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly board: ChannelBoard,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: PUBLISH_EVERY_MS,
      run: () => this.publish(),
      onError: (error) => logger.warn({ err: error }, 'channel controls not published'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async change(change: ChannelControlChange): Promise<void> {
    await changeChannelControl(this.database, change);
    this.#loop.kick();
  }

  async publish(): Promise<void> {
    const stored = await listChannelControls(this.database);
    await this.board.publishControls(stored.map(({ channelId, state, weight }) => ({ channelId, state, weight })));
  }
}
