import type { ListedModel, ListTarget, ModelList } from '@gateway/upstreams';
import { type CallVendor, isSuccess } from '../call-vendor.js';

/** A vendor that pages for ever must not hold the command. */
const MAX_PAGES = 50;

/** All models that a credential gets. Rejects with an Error whose text holds no credential. */
export async function listModels(
  list: ModelList,
  target: ListTarget,
  call: CallVendor,
): Promise<readonly ListedModel[]> {
  const models: ListedModel[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const response = await call(list.buildList(target, cursor));
    if (!isSuccess(response)) throw new Error(`status ${response.status}: ${list.readFailure(response).kind}`);
    const { models: more, next } = list.readList(response.body);
    models.push(...more);
    if (next === undefined) return models;
    cursor = next;
  }
  throw new Error(`more than ${MAX_PAGES} pages`);
}
