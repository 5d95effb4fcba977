import { Loop } from '@gateway/observability';
import { type Database, removeExpired } from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE } from '../billing-doors.js';
import { LOGGER, type Logger } from '../observability-door.js';

const EVERY_MS = 10 * 60 * 1_000;

/** Removes sessions and attempt windows whose time is over. */
@Injectable()
export class RemoveExpired implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      everyMs: EVERY_MS,
      round: () => removeExpired(this.database, new Date()),
      onError: (error) => this.logger.warn({ err: error }, 'cannot remove what has expired'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
