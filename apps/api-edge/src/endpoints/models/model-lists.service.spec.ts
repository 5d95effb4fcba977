import type { KeyRecord } from '@gateway/contracts';
import type { EncodedBody } from '@gateway/serving';
import { expect, it } from '@jest/globals';
import type { ModelAccess } from '../../admit/model-access.service.js';
import { ModelLists } from './model-lists.service.js';

const key = { models: [], endpoints: [], priceOverrides: [] } as unknown as KeyRecord;
const models = {
  visibleTo: () => [{ id: 'openai' }],
  visibleToMessages: () => [{ id: 'messages' }],
  visibleToGoogle: () => [{ name: 'google' }],
} as unknown as ModelAccess;

it('keeps the lists of the formats apart, also without a page', async () => {
  const lists = new ModelLists(models);
  const read = async (list: EncodedBody) => JSON.parse((await list.in('identity')).toString());
  for (let time = 0; time < 2; time += 1) {
    expect(await read(lists.googlePage(key, {}))).toMatchObject({ models: [{ name: 'google' }] });
    expect(await read(lists.messagesPage(key, {}))).toMatchObject({ data: [{ id: 'messages' }], last_id: 'messages' });
    expect(await read(lists.list(key))).toMatchObject({ data: [{ id: 'openai' }], object: 'list' });
  }
});
