import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { jsonOrCsv, time, usdText } from '../http/answers.js';
import { marginPeriod } from './margin-query.js';

export const marginSums = z.object({
  requests: z.int(),
  charged_usd: usdText,
  vendor_cost_usd: usdText,
  margin_usd: usdText,
  margin_percent: z.string().nullable(),
  uncosted_requests: z.int().meta({ description: 'Requests whose cost at the vendor is not known.' }),
  uncosted_usd: usdText,
});

const marginLine = z.object({ group: z.string(), email: z.string().nullable().optional(), ...marginSums.shape });

export const MARGIN = {
  id: 'margin.get',
  summary: 'Compare what customers paid with what vendors bill',
  query: marginPeriod,
  answers: {
    200: jsonOrCsv(
      z.object({
        group_by: z.string(),
        from: time,
        to: time,
        data: z.array(marginLine),
        total: marginSums,
        next_cursor: z.null(),
      }),
    ),
  },
  examples: { models: { query: { group_by: 'model' } } },
} satisfies RouteDescription;
