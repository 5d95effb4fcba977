import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { time } from '../http/answers.js';

const contentPart = z.object({
  content_type: z.string().nullable().meta({ description: 'The media type. Null: unknown.' }),
  text: z.string().nullable().meta({ description: 'Null: the bytes are not text, and are in `base64`.' }),
  base64: z.string().nullable().meta({ description: 'The bytes. Null: they are in `text`.' }),
  is_truncated: z.boolean().meta({ description: 'True: only the first mebibyte was kept.' }),
});

/** What a request sent and got. */
export const contentsRecord = z
  .object({
    request_id: z.string(),
    key_id: z.string(),
    request: contentPart.nullable().meta({ description: 'Null: a form with files, of which nothing is kept.' }),
    response: contentPart.nullable().meta({ description: 'Null: there was none, or it is at `response_path`.' }),
    response_path: z
      .string()
      .nullable()
      .meta({ description: 'Of a request that was taken later: where the API has its result.' }),
    is_complete: z.boolean().meta({ description: 'False: the response broke off, or its client left.' }),
    kept_at: time.meta({ description: 'When it was stored.' }),
    expires_at: time,
  })
  .meta({ id: 'RequestContents' });

export const CONTENTS = {
  read: {
    id: 'statements.contents',
    summary: 'Read the prompt and the answer of a request',
    description:
      'Of a key with `keep_contents`, for 24 hours. Only members of the organisation see them: an owner all, a developer those of the own keys. The audit log records each look.',
    answers: { 200: contentsRecord },
    examples: { chat: { path: { requestId: '{keptContentsId}' } } },
  },
} satisfies Record<string, RouteDescription>;
