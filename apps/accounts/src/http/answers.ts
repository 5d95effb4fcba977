import type { Answer } from '@gateway/api-description';
import { z } from 'zod';

/** Schemas that many answers share. The functions that render answers are typed by them. */
export const usdText = z.string().meta({ description: 'Decimal USD, exact to the nano-dollar.' });
export const time = z.string().meta({ format: 'date-time' });
export const timeOrNull = time.nullable();

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page. Null on the last one.' });

/** One page of a list. */
export const pageOf = <Record extends z.ZodType>(record: Record) =>
  z.object({
    data: z.array(record).readonly(),
    next_cursor: nextCursor,
  });

export const deleted = z.object({ id: z.string(), deleted: z.literal(true) });

/** A list that the query parameter `format` also returns as CSV. */
export const jsonOrCsv = (json: z.ZodType): Answer => ({
  description: 'Done',
  content: { 'application/json': json, 'text/csv': z.string() },
  headers: ['content-disposition', 'x-next-cursor'],
});

/** A `Followable` answer: as JSON, or as an event now and whenever it changes. `name`: of a schema without an id. */
export const jsonOrEvents = (name: string, json: z.ZodType): Answer => ({
  description: 'Done',
  content: {
    'application/json': json,
    'text/event-stream': {
      events: json.meta()?.id === undefined ? json.meta({ id: name }) : json,
      description: 'The answer now, and again whenever it changes.',
    },
  },
});

/** A cap of a key or an account, and what is used of it. */
export const capRecord = z
  .object({
    period: z.string(),
    measure: z.string(),
    limit: z.union([z.string(), z.number()]),
    hard: z.boolean().meta({ description: 'True: requests are refused. False: an event is sent.' }),
    used: z.union([z.string(), z.number()]),
    resets_at: timeOrNull,
  })
  .meta({ id: 'Cap' });
