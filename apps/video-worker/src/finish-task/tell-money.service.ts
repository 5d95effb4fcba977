import type { Logger } from '@gateway/observability';
import { type Database, readLedgerBalances, type TaskStore, type WorkerVideoTask } from '@gateway/postgres';
import { type AdmissionStore, mirrorReserve } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, LOGGER, TASK_STORE } from '../doors.js';

/** Lets admission know what a task's end has changed. What is not told is brought by the next admission or grant. */
@Injectable()
export class TellMoney {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly admission: AdmissionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  tell(task: WorkerVideoTask): void {
    this.#tell(task).catch((error: unknown) =>
      this.logger.debug({ err: error, taskId: task.taskId }, 'Redis is not told yet what a task has cost'),
    );
  }

  /** What the key has spent, and what the customer has left. */
  async #tell({ keyId, accountId }: WorkerVideoTask): Promise<void> {
    const spending = await this.tasks.readKeySpending(keyId);
    if (spending !== null) await this.admission.setSpending(spending);
    await mirrorReserve(this.admission, accountId, () => readLedgerBalances(this.database, accountId));
  }
}
