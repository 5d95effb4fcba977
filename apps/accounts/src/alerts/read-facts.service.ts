import { isGatewayError } from '@gateway/contracts';
import {
  type Database,
  listChannelControls,
  listOpenTasks,
  mailDelayMs,
  marginReport,
  webhookBacklog,
} from '@gateway/postgres';
import { ChannelBoard, type QueueReader } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { AskBilling } from '../http/ask-billing.service.js';
import type { ReconciliationReport } from '../http/reconciliation-report.js';
import { DATABASE, QUEUE_READER } from '../tokens.js';
import { yesterday } from './operator-numbers.js';
import type { Facts } from './own-checks.js';

const MAX_STUCK = 50;

/** Reads what the checks look at. */
@Injectable()
export class ReadFacts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(QUEUE_READER) private readonly queues: QueueReader,
    private readonly board: ChannelBoard,
    private readonly billing: AskBilling,
  ) {}

  async read(now: Date): Promise<Facts> {
    const stuck = { problem: 'stuck', after: null, limit: MAX_STUCK } as const;
    const [report, processes, controls, queues, stuckTasks, webhooks, mailDelay, margin] = await Promise.all([
      this.#report(),
      this.board.processes(),
      listChannelControls(this.database),
      this.queues.read(),
      listOpenTasks(this.database, stuck),
      webhookBacklog(this.database),
      mailDelayMs(this.database),
      marginReport(this.database, { groupBy: 'model', from: yesterday(now), to: now }),
    ]);
    return { report, processes, controls, queues, stuckTasks, webhooks, mailDelayMs: mailDelay, margin };
  }

  /** Null: billing does not answer, which is an alert of its own. */
  async #report(): Promise<ReconciliationReport | null> {
    try {
      return await this.billing.reconciliation(false);
    } catch (error) {
      if (isGatewayError(error)) return null;
      throw error;
    }
  }
}
