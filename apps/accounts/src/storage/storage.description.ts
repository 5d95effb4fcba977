import type { RouteDescription } from '@gateway/api-description';
import { MAX_MEDIA_RETENTION_DAYS, MAX_RESULT_RETENTION_HOURS } from '@gateway/contracts';
import { z } from 'zod';

const upTo = (max: number) => z.int().min(1).max(max).nullable().optional();

export const retentionChange = z.strictObject({
  media_days: upTo(MAX_MEDIA_RETENTION_DAYS).meta({
    description: 'How long images and videos are kept. Null: as long as the deployment keeps them.',
  }),
  result_hours: upTo(MAX_RESULT_RETENTION_HOURS).meta({
    description: 'How long responses that are taken later are kept. Null: as long as the deployment keeps them.',
  }),
});

const bytes = z.int().min(0);

export const storageRecord = z
  .object({
    object: z.literal('storage'),
    used_bytes: bytes.meta({ description: 'The sum of `by_kind`.' }),
    limit_bytes: bytes,
    files: z.int().min(0),
    limit_files: z.int().min(0),
    by_kind: z.object({
      files: bytes.meta({ description: 'Uploads, images, videos, and files of batches.' }),
      requests: bytes.meta({ description: 'Bodies and responses of requests that are taken later.' }),
      responses: bytes.meta({ description: 'Stored responses and conversations.' }),
    }),
    retention: z.object({
      media_days: z.int(),
      result_hours: z.int(),
      is_default: z.boolean().meta({ description: 'True: the account has set neither.' }),
    }),
  })
  .meta({ id: 'AccountStorage' });

export const STORAGE = {
  show: {
    id: 'account.storage',
    summary: 'Read what the account keeps',
    description: 'With its limits, and with how long results stay.',
    answers: { 200: storageRecord },
    examples: { current: {} },
  },
  change: {
    id: 'account.changeRetention',
    summary: 'Change how long results are kept',
    description: 'For results from now on.',
    body: retentionChange,
    answers: { 200: storageRecord },
    examples: { week: { body: { media_days: 7 } } },
  },
} satisfies Record<string, RouteDescription>;
