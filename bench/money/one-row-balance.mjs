import { timed } from './holds-and-settlements.mjs';

/** The baseline of the machine: a conditional update of one row, which is the balance of one busy account. */
export async function measureOneRow(pool, count, atOnce) {
  await pool.query('CREATE TABLE one_row (id int PRIMARY KEY, free bigint, held bigint)');
  await pool.query('INSERT INTO one_row VALUES (1, 1000000000000, 0)');
  const hold = 'UPDATE one_row SET free = free - 2000, held = held + 2000 WHERE id = 1 AND free >= 2000';
  const perSecond = await timed(Array(count).fill(0), atOnce, () => pool.query(hold));
  await pool.query('DROP TABLE one_row');
  return perSecond;
}
