import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { lazyPrisma } from './lazy-prisma.js';

/** Commits a statement on a connection that fails it with this error. */
async function commitWith(failure: Error) {
  const sent: unknown[] = [];
  const released: unknown[] = [];
  const connection = {
    query: async (statement: unknown) => {
      sent.push(typeof statement === 'string' ? statement : 'statement');
      if (typeof statement !== 'string') throw failure;
    },
    on: () => undefined,
    off: () => undefined,
    release: (error?: Error) => released.push(error),
  };
  const pool = { connect: async () => connection } as unknown as Pool;
  const prisma = lazyPrisma(pool, () => Promise.reject(new Error('Prisma is not needed')));
  await expect(prisma.$transaction([prisma.$executeRaw`SELECT 1`])).rejects.toBe(failure);
  return { sent, released };
}

describe('statements that are committed together', () => {
  it('are rolled back, and their connection is used again', async () => {
    expect(await commitWith(new Error('refused'))).toEqual({
      sent: ['BEGIN', 'statement', 'ROLLBACK'],
      released: [undefined],
    });
  });

  it('leave their connection at once if PostgreSQL does not reply', async () => {
    const silence = new Error('Query read timeout');
    expect(await commitWith(silence)).toEqual({ sent: ['BEGIN', 'statement'], released: [silence] });
  });
});
