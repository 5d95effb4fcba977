import type { AccountEvent } from '@gateway/contracts';
import { z } from 'zod';
import { time } from './answers.js';

export const eventRecord = z
  .object({
    id: z.string(),
    type: z.string(),
    subject: z.string(),
    test: z.boolean(),
    created_at: time,
    data: z.unknown(),
  })
  .meta({ id: 'AccountEvent' });

export const eventView = (event: AccountEvent): z.output<typeof eventRecord> => ({
  id: event.id,
  type: event.type,
  subject: event.subject,
  test: event.isTest,
  created_at: event.createdAt.toISOString(),
  data: event.data,
});
