import { type Logger, Loop } from '@gateway/observability';
import {
  type Database,
  emptyClosedAccount,
  removeExpired,
  removeExpiredContents,
  removeExpiredMails,
  removeExpiredResponses,
  removeExpiredState,
} from '@gateway/postgres';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DATABASE, LOGGER } from '../tokens.js';

const EVERY_MS = 10 * 60 * 1_000;
/** A response part has up to a megabyte. A batch takes some tenths of a second. */
const PARTS_PER_BATCH = 25;
/** Stored responses of the Responses API. Each may have megabytes. */
const RESPONSES_PER_BATCH = 50;
/** Prompts and answers. Each may have two megabytes. */
const CONTENTS_PER_BATCH = 50;

/** Rows of each kind that a deleted organisation keeps. A batch takes about a second. */
const ROWS_PER_BATCH = 5_000;

/** Removes expired sessions, mails, attempt windows, stored responses, conversations, prompts and answers. */
@Injectable()
export class RemoveExpired implements OnApplicationBootstrap {
  readonly #loop: Loop;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: (signal) => this.#remove(signal),
      onError: (error) => this.logger.warn({ err: error }, 'removal of expired rows failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #remove(signal: AbortSignal): Promise<void> {
    await removeExpired(this.database, new Date());
    await removeExpiredMails(this.database, new Date());
    while (!signal.aborted && (await emptyClosedAccount(this.database, ROWS_PER_BATCH)));
    while (!signal.aborted && (await removeExpiredResponses(this.database, PARTS_PER_BATCH)) === PARTS_PER_BATCH);
    while (!signal.aborted && (await removeExpiredContents(this.database, CONTENTS_PER_BATCH)) === CONTENTS_PER_BATCH);
    while (!signal.aborted && (await removeExpiredState(this.database, RESPONSES_PER_BATCH)) === RESPONSES_PER_BATCH);
  }
}
