import type { closeChildKey as Close, listEndedChildren as List } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';

const closeChildKey = mockOf<typeof Close>();
const listEndedChildren = mockOf<typeof List>();
jest.unstable_mockModule('@gateway/postgres', () => ({ closeChildKey, listEndedChildren }));
const { CloseChildren } = await import('./close-children.service.js');

const parent = { spendingKeyId: 'key_parent', spentNanoUsd: '30', version: '4' } as never;
const CHILDREN = (...ids: string[]) => ids.map((id) => ({ id, accountId: 'acct_a' }));

function setUp(spending: Readonly<Record<string, { held?: bigint; unsettled?: bigint } | undefined>> = {}) {
  const setSpending = jest.fn(async (..._given: unknown[]) => true);
  const readSpending = jest.fn(async (...given: unknown[]) => {
    const { held = 0n, unsettled = 0n } = spending[String(given.at(-1))] ?? {};
    return { heldNanoUsd: held, unsettledNanoUsd: unsettled };
  });
  const { metrics, changes } = fakeMetrics();
  const store = { readSpending, setSpending } as never;
  const service = new CloseChildren({} as never, store, metrics, fakeLogger().logger);
  return { service, setSpending, readSpending, changes };
}

beforeEach(() => {
  jest.resetAllMocks();
});

describe('CloseChildren', () => {
  it('closes an ended child, and brings what its parent has spent to Redis', async () => {
    const { service, setSpending, changes } = setUp();
    listEndedChildren.mockResolvedValue(CHILDREN('key_a'));
    closeChildKey.mockResolvedValue(parent);
    expect(await service.closeEnded()).toBe(1);
    expect(closeChildKey).toHaveBeenCalledWith(expect.anything(), 'key_a');
    expect(setSpending.mock.calls[0]?.at(-1)).toBe(parent);
    expect(changes).toEqual([['closedChildKeys']]);
  });

  it.each([
    ['holds money for a running request', { held: 1n }],
    ['has a charge on its way to the ledger', { unsettled: 1n }],
  ])('leaves a child open that %s, and goes on with the next', async (_what, spending) => {
    const { service, changes } = setUp({ key_busy: spending });
    listEndedChildren.mockResolvedValue(CHILDREN('key_busy', 'key_idle'));
    closeChildKey.mockResolvedValue(parent);
    expect(await service.closeEnded()).toBe(1);
    expect(closeChildKey.mock.calls.map(([, id]) => id)).toEqual(['key_idle']);
    expect(changes).toHaveLength(1);
  });

  it('counts nothing that the ledger keeps open, or that another process has closed', async () => {
    const { service, setSpending, changes } = setUp();
    listEndedChildren.mockResolvedValue(CHILDREN('key_a'));
    closeChildKey.mockResolvedValue(null);
    expect(await service.closeEnded()).toBe(0);
    expect(setSpending).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it('closes nothing while Redis cannot say what is held', async () => {
    const { service, readSpending } = setUp();
    listEndedChildren.mockResolvedValue(CHILDREN('key_a'));
    readSpending.mockRejectedValue(new Error('Redis is away'));
    await expect(service.closeEnded()).rejects.toThrow('Redis is away');
    expect(closeChildKey).not.toHaveBeenCalled();
  });
});
