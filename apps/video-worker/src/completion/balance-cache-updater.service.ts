import type { Logger } from '@gateway/observability';
import { type Database, readLedgerBalances, type TaskStore, type WorkerVideoTask } from '@gateway/postgres';
import { type AdmissionStore, mirrorReserve } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, LOGGER, TASK_STORE } from '../tokens.js';

/** Updates the balances that admission caches in Redis. Best effort: the next admission or grant updates them too. */
@Injectable()
export class BalanceCacheUpdater {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly admission: AdmissionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  update(task: WorkerVideoTask): void {
    this.#update(task).catch((error: unknown) =>
      this.logger.debug({ err: error, taskId: task.taskId }, 'balance cache not updated'),
    );
  }

  async #update({ keyId, accountId }: WorkerVideoTask): Promise<void> {
    const spending = await this.tasks.readKeySpending(keyId);
    if (spending !== null) await this.admission.setSpending(accountId, spending);
    await mirrorReserve(this.admission, accountId, () => readLedgerBalances(this.database, accountId));
  }
}
