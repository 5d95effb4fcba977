import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import { closeInOrder } from './close-in-order.js';

describe('closeInOrder', () => {
  it('closes one after the other, logs each failure and continues', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: 'test', level: 'info', destination });
    const order: string[] = [];
    const closing = (name: string) => async () => {
      order.push(name);
      await Promise.resolve();
      order.push(`${name} closed`);
    };
    const failing = [
      () => Promise.reject(new Error('it rejects')),
      () => {
        throw new Error('it throws');
      },
    ];
    await closeInOrder([closing('a'), ...failing, closing('b')], logger);
    expect(order).toEqual(['a', 'a closed', 'b', 'b closed']);
    expect(lines).toEqual([expect.stringContaining('it rejects'), expect.stringContaining('it throws')]);
  });
});
