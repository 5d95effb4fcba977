import { z } from 'zod';
import { pageLimit } from './query-number.js';
import { hasNoNul, storedText } from './stored-text.js';

/*
 * /v1/files: OpenAI's form. https://developers.openai.com/api/reference/resources/files
 */

const MEBIBYTE = 1024 * 1024;

/** OpenAI's limit of one file. */
export const FILE_LIMIT_BYTES = 512 * MEBIBYTE;
/** The limit of the form around it. */
export const FILE_FORM_LIMIT_BYTES = FILE_LIMIT_BYTES + MEBIBYTE;

const MIN_EXPIRY_SECONDS = 3_600;
const MAX_EXPIRY_SECONDS = 2_592_000;
const MAX_PAGE = 10_000;
const MAX_FILENAME_LENGTH = 255;
const MAX_LINK_SECONDS = 7 * 24 * 3_600;
const DEFAULT_LINK_SECONDS = 3_600;

/** What clients upload files for. */
const UPLOAD_PURPOSES = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'] as const;
/** `batch_output`: results of a batch. `generation`: a vendor's image or video. */
export const FILE_PURPOSES = [...UPLOAD_PURPOSES, 'batch_output', 'generation'] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];
/** Typed clients of OpenAI refuse a purpose that it does not have. So `generation` has its name for what a model made. */
export const PUBLIC_FILE_PURPOSES = [...UPLOAD_PURPOSES, 'batch_output', 'assistants_output'] as const;
export type PublicFilePurpose = (typeof PUBLIC_FILE_PURPOSES)[number];

export const expiresAfter = z.strictObject({
  anchor: z.literal('created_at'),
  seconds: z.coerce.number().int().min(MIN_EXPIRY_SECONDS).max(MAX_EXPIRY_SECONDS),
});

/** The fields of the form beside its `file`. */
export const fileUploadFields = z.strictObject({
  purpose: z.enum(UPLOAD_PURPOSES),
  expires_after: expiresAfter.optional(),
});

/** A name that fits into a header and a list. */
export const filename = storedText(MAX_FILENAME_LENGTH).min(1);

/** One page. `after`: the id of the last file of the page before. */
export const fileListQuery = z.object({
  after: z.string().min(1).max(200).refine(hasNoNul, 'expected the id of a file, without the character NUL').optional(),
  limit: pageLimit({ most: MAX_PAGE, usual: MAX_PAGE }),
  order: z.enum(['asc', 'desc']).default('desc'),
  purpose: z.enum([...PUBLIC_FILE_PURPOSES, 'generation']).optional(),
});

export type FileListQuery = z.infer<typeof fileListQuery>;

/** The body of `POST /v1/files/{id}/link`. */
export const fileLinkBody = z.strictObject({
  expires_in: z.number().int().min(1).max(MAX_LINK_SECONDS).default(DEFAULT_LINK_SECONDS),
});

/** A file, as its customer sees it. Times are Unix seconds. */
export interface FileRecord {
  readonly id: string;
  readonly object: 'file';
  readonly bytes: number;
  readonly created_at: number;
  /** Absent: the file is kept until it is deleted. */
  readonly expires_at?: number;
  readonly filename: string;
  readonly purpose: PublicFilePurpose;
  /** Always so: nothing processes a file after its upload. */
  readonly status: 'processed';
  readonly content_type: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface FileList {
  readonly object: 'list';
  readonly data: readonly FileRecord[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/** An address that needs no key until it expires. */
export interface FileLink {
  readonly object: 'file.link';
  readonly url: string;
  readonly expires_at: number;
}
