import type { AccountId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { Escrow } from './escrow.service.js';

const account = 'acct_a' as AccountId;

function createEscrow(post: (path: string, body: object) => unknown = () => ({})) {
  const requests: (readonly [string, object])[] = [];
  const escrow = new Escrow({
    post: async (path, body) => {
      requests.push([path, body]);
      return post(path, body);
    },
  });
  return { escrow, requests };
}

describe('a block of the balance', () => {
  it.each([
    [{ granted: true, amountNanoUsd: '5' }, true],
    [{ granted: false, availableNanoUsd: '0' }, false],
  ])('follows the ledger: %j', async (response, isGranted) => {
    const { escrow, requests } = createEscrow(() => response);
    expect(await escrow.requestBlock(account, 7n)).toBe(isGranted);
    expect(requests).toEqual([['/internal/escrow', { accountId: account, missingNanoUsd: '7' }]]);
  });

  it.each([[{}], [{ granted: 'yes' }], [null]])('is unavailable if billing responds %j', async (response) => {
    const { escrow } = createEscrow(() => response);
    await expect(escrow.requestBlock(account, 7n)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('rejects with the error of billing', async () => {
    const failure = new Error('billing is away');
    const { escrow } = createEscrow(() => {
      throw failure;
    });
    await expect(escrow.requestBlock(account, 7n)).rejects.toBe(failure);
  });
});

describe('refills', () => {
  it('run one at a time for an account, and at once for different accounts', async () => {
    const { escrow } = createEscrow();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const refill = (name: string, until?: Promise<void>) => async () => {
      log.push(`${name} starts`);
      await until;
      log.push(`${name} ends`);
    };
    const all = [
      escrow.serialize(account, refill('a1', first.promise)),
      escrow.serialize(account, refill('a2')),
      escrow.serialize('acct_b' as AccountId, refill('b')),
    ];
    await new Promise(setImmediate);
    expect(log).toEqual(['a1 starts', 'b starts', 'b ends']);
    first.resolve();
    await Promise.all(all);
    expect(log).toEqual(['a1 starts', 'b starts', 'b ends', 'a1 ends', 'a2 starts', 'a2 ends']);
  });

  it('continue after a failed one, and each returns its own result', async () => {
    const { escrow } = createEscrow();
    const failed = escrow.serialize(account, () => Promise.reject(new Error('refused')));
    const next = escrow.serialize(account, async () => 'admitted');
    await expect(failed).rejects.toThrow('refused');
    expect(await next).toBe('admitted');
  });
});
