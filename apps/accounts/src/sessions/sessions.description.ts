import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { deleted, pageOf, time } from '../http/answers.js';

export const sessionLine = z
  .object({
    id: z.string(),
    is_current: z.boolean().meta({ description: 'The session of this request.' }),
    user_agent: z.string(),
    ip: z.string(),
    created_at: time,
    last_seen_at: time.meta({ description: 'Exact to a minute.' }),
    expires_at: time,
  })
  .meta({ id: 'Session' });

export const SESSIONS = {
  list: {
    id: 'sessions.list',
    summary: 'List the own sessions',
    answers: { 200: pageOf(sessionLine) },
    examples: { all: {} },
  },
  endOthers: {
    id: 'sessions.endOthers',
    summary: 'End all own sessions but this one',
    answers: { 200: z.object({ ended: z.int() }) },
    examples: { all: {} },
  },
  end: {
    id: 'sessions.end',
    summary: 'End an own session',
    answers: { 200: deleted },
    examples: { one: { path: { id: '{sessionId}' } } },
  },
} satisfies Record<string, RouteDescription>;
