import type { Answer, RouteDescription } from '@gateway/api-description';
import { fileLinkBody, fileListQuery, fileUploadFields, PUBLIC_FILE_PURPOSES } from '@gateway/contracts';
import { z } from 'zod';

const binary = z.string().meta({ override: { type: 'string', format: 'binary' } });
const seconds = z.int().meta({ description: 'Unix seconds.' });

const file = z
  .object({
    id: z.string(),
    object: z.literal('file'),
    bytes: z.int(),
    created_at: seconds,
    expires_at: seconds.optional(),
    filename: z.string(),
    purpose: z.enum(PUBLIC_FILE_PURPOSES),
    status: z.literal('processed'),
    content_type: z.string(),
    sha256: z.string(),
  })
  .meta({ id: 'FileObject' });

const bytes: Answer = {
  description: 'The bytes, with the content type of the file',
  content: { 'application/octet-stream': binary },
  headers: ['content-disposition', 'etag', 'content-range', 'accept-ranges'],
};

/** Clients of the other formats get their own style of errors. */
const REFUSES_OTHER_FORMS = { dialects: ['a', 'anthropic', 'google'] } as const;

export const FILES = {
  upload: {
    id: 'files.create',
    ...REFUSES_OTHER_FORMS,
    summary: 'Upload a file',
    body: { content: { 'multipart/form-data': fileUploadFields.extend({ file: binary }) } },
    answers: { 200: file },
    errors: ['store_full'],
    examples: { batch: { body: { purpose: 'batch', file: '@requests.jsonl' } } },
  },
  list: {
    id: 'files.list',
    ...REFUSES_OTHER_FORMS,
    summary: 'List the files',
    query: fileListQuery,
    answers: {
      200: z.object({
        object: z.literal('list'),
        data: z.array(file),
        first_id: z.string().nullable(),
        last_id: z.string().nullable(),
        has_more: z.boolean(),
      }),
    },
    examples: { newest: { query: { limit: '1' } } },
  },
  get: {
    id: 'files.get',
    ...REFUSES_OTHER_FORMS,
    summary: 'Read a file’s record',
    answers: { 200: file },
    examples: { one: { path: { id: '{fileId}' } } },
  },
  remove: {
    id: 'files.delete',
    ...REFUSES_OTHER_FORMS,
    summary: 'Delete a file',
    answers: { 200: z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) }) },
    examples: { one: { path: { id: '{fileId}' } } },
  },
  content: {
    id: 'files.content',
    summary: 'Download a file',
    description: 'By key, or by an address of `files.link`. `Range`, `If-Match` and `If-None-Match` are honoured.',
    headers: ['Range', 'If-Match'],
    answers: {
      200: bytes,
      206: { ...bytes, description: 'A part of the bytes' },
      304: { description: 'The client has these bytes' },
      307: {
        description: 'The bytes are not stored: `location` is the vendor’s address',
        headers: ['location', 'x-gateway-result'],
      },
    },
    errors: ['precondition_failed', 'range_not_satisfiable'],
    examples: { whole: { path: { id: '{fileId}' } } },
  },
  link: {
    id: 'files.link',
    summary: 'Sign an address of a file',
    description: 'The address needs no key until it expires.',
    body: { content: { 'application/json': fileLinkBody }, required: false },
    answers: { 200: z.object({ object: z.literal('file.link'), url: z.string(), expires_at: seconds }) },
    examples: { hour: { path: { id: '{fileId}' }, body: { expires_in: 3600 } } },
  },
} as const satisfies Record<string, RouteDescription>;
