import { type AccountId, newAccountId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { AccountTurns } from './account-turns.js';

const [flooding, other] = [newAccountId(), newAccountId()];

/** Starts requests and turns of the event loop. Records who has started. */
function open() {
  const scheduled: (() => void)[] = [];
  const turns = new AccountTurns((run) => scheduled.push(run));
  const started: AccountId[] = [];
  const begin = (accountId: AccountId): void => {
    const turn = turns.take(accountId);
    if (turn === undefined) started.push(accountId);
    else void turn.then(() => started.push(accountId));
  };
  const nextTurn = async (): Promise<void> => {
    for (const run of scheduled.splice(0)) run();
    await Promise.resolve();
  };
  return { scheduled, started, begin, nextTurn };
}

describe('requests of one turn of the event loop', () => {
  it('start at once if they are few, and again in the next turn', async () => {
    const { scheduled, started, begin, nextTurn } = open();
    for (let turn = 1; turn <= 3; turn += 1) {
      for (let request = 0; request < 16; request += 1) begin(flooding);
      expect(started).toHaveLength(16 * turn);
      expect(scheduled).toHaveLength(1);
      await nextTurn();
      expect(scheduled).toEqual([]);
    }
  });

  it('start in turn by account if they are many, and each account keeps its order', async () => {
    const { scheduled, started, begin, nextTurn } = open();
    for (let request = 0; request < 50; request += 1) begin(flooding);
    for (let request = 0; request < 3; request += 1) begin(other);
    expect(started).toHaveLength(16);
    await nextTurn();
    expect(started.slice(16, 22)).toEqual([flooding, other, flooding, other, flooding, other]);
    expect(started).toHaveLength(32);
    // Who comes later has a turn before the rest of the flood.
    begin(other);
    await nextTurn();
    expect(started.slice(32, 34)).toEqual([flooding, other]);
    while (scheduled.length > 0) await nextTurn();
    expect(started).toHaveLength(54);
    begin(flooding);
    expect(started).toHaveLength(55);
  });
});
