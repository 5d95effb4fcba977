import { type CatalogueModel, withCapability } from '@gateway/catalogue';
import { GatewayError } from '@gateway/contracts';
import { draftTaskIdOf, type KeyAccess, mayUseModel, toVideoDraft, type VideoDraft } from '@gateway/intake';
import { type Database, findTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

/** The caller whose drafts a quote may name. */
export interface DraftCaller {
  readonly accountId: string;
  readonly access: KeyAccess;
  readonly isTest: boolean;
}

/** Finds the draft that a video request completes, as the edge does. The draft's length and audio determine the price. */
@Injectable()
export class FindDraft {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Undefined: the request names no draft. Throws 404 for an unknown task, and 400 for a task that is no finished draft. */
  async find(
    { accountId, access, isTest }: DraftCaller,
    model: CatalogueModel,
    body: Record<string, unknown>,
  ): Promise<VideoDraft | undefined> {
    if (model.video === undefined) return undefined;
    const id = draftTaskIdOf(body, withCapability(model, 'video'));
    if (id === undefined) return undefined;
    const task = await findTask(this.database, { accountId, onlyTest: isTest }, id);
    if (task !== null && mayUseModel(access, { id: task.model })) return toVideoDraft(task);
    throw new GatewayError('not_found', 'There is no such video task.', { param: 'id' });
  }
}
