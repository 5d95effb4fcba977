import { createHash, randomFillSync } from 'node:crypto';

/** A string that only its constructor or parser creates, so that the compiler distinguishes kinds of ids. */
type Branded<Brand extends string> = string & { readonly __brand: Brand };

export type RequestId = Branded<'RequestId'>;
export type AccountId = Branded<'AccountId'>;
export type KeyId = Branded<'KeyId'>;
export type TaskId = Branded<'TaskId'>;
export type ResponseId = Branded<'ResponseId'>;
export type ConversationId = Branded<'ConversationId'>;
export type FileId = Branded<'FileId'>;

/** The order of PostgreSQL's collation `C`. */
const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
const LENGTH = 26;
const POOL_BYTES = LENGTH * 256;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** Random base32 characters, 5 bits each. A pool of random bytes saves a system call for each id. */
function randomBase32(length = LENGTH): string {
  if (used + length > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (let index = 0; index < length; index += 1) text += ALPHABET[(pool[used + index] as number) & 31];
  used += length;
  return text;
}

/** A month of 31 days has fewer than 32⁴ ticks. */
const TICK_MS = 2_560;
const TICK_LENGTH = 4;
const MONTH_LENGTH = 'YYYYMM'.length;
let month = { text: '', startsAtMs: 0, endsAtMs: 0 };

function monthOf(nowMs: number): typeof month {
  if (nowMs >= month.startsAtMs && nowMs < month.endsAtMs) return month;
  const now = new Date(nowMs);
  const [year, index] = [now.getUTCFullYear(), now.getUTCMonth()];
  month = {
    text: `${year}${String(index + 1).padStart(2, '0')}`,
    startsAtMs: Date.UTC(year, index),
    endsAtMs: Date.UTC(year, index + 1),
  };
  return month;
}

/**
 * 26 characters: the UTC month, the tick of that month, 80 random bits. Receipts are stored by month, and an id finds its
 * month by itself. Ids made before the month was in them have no `0` or `1` in the second place.
 */
function timedBase32(nowMs: number): string {
  const { text, startsAtMs } = monthOf(nowMs);
  let tick = Math.floor((nowMs - startsAtMs) / TICK_MS);
  let ticks = '';
  for (let place = 0; place < TICK_LENGTH; place += 1) {
    ticks = (ALPHABET[tick & 31] as string) + ticks;
    tick >>= 5;
  }
  return text + ticks + randomBase32(LENGTH - MONTH_LENGTH - TICK_LENGTH);
}

/** `req_202611…`: the id of a request in queue, relay, hold, settlement, receipt and logs. Sorts by time. */
export const newRequestId = (nowMs = Date.now()): RequestId => `req_${timedBase32(nowMs)}` as RequestId;
/** The start of the UTC month in which a request began. Null: its id was made before ids carried their month. */
export function monthOfRequest(requestId: string): Date | null {
  const [, year, month] = /^req_(20\d\d)(0[1-9]|1[0-2])/.exec(requestId) ?? [];
  return year === undefined ? null : new Date(Date.UTC(Number(year), Number(month) - 1));
}

/** True for what `newRequestId` makes, and has made before ids carried their month. */
export const isRequestId = (text: string): text is RequestId => /^req_[a-z0-9]{26}$/.test(text);
export const newAccountId = (): AccountId => `acct_${randomBase32()}` as AccountId;
/** `psn_…`: who logs in. */
export const newPersonId = (): string => `psn_${randomBase32()}`;
/** `mem_…`: a person in an organisation. */
export const newMemberId = (): string => `mem_${randomBase32()}`;
export const newInvitationId = (): string => `inv_${randomBase32()}`;
/** `mail_…`: a mail of the outbox; its link names it. */
export const newMailId = (): string => `mail_${randomBase32()}`;
/** `adm_…`: an administrator with a name. */
export const newAdministratorId = (): string => `adm_${randomBase32()}`;
/** `view_…`: an administrator's permission to read an account. */
export const newViewId = (): string => `view_${randomBase32()}`;
/** `bill_…`: a vendor's usage export. */
export const newVendorBillId = (): string => `bill_${randomBase32()}`;
/** 130 random bits: a worker claims a request with them. */
export const newClaimToken = (): string => randomBase32();
export const newKeyId = (): KeyId => `key_${randomBase32()}` as KeyId;

/** `task_…`: shares its 26 characters with the request that submitted it, so that each can be derived from the other. */
export const taskIdOf = (requestId: RequestId): TaskId => `task_${requestId.slice('req_'.length)}` as TaskId;
/** The format of all ids of tasks, also of those that a vendor gives (`cgt-…`). Other text needs no query. */
export const TASK_ID = /^[a-zA-Z0-9_-]{1,100}$/;

/** `resp_…`: shares its 26 characters with the request that creates it, so that each can be derived from the other. */
export const responseIdOf = (requestId: RequestId): ResponseId =>
  `resp_${requestId.slice('req_'.length)}` as ResponseId;
/** `int_…`: the same of an interaction. */
export const interactionIdOf = (requestId: RequestId): ResponseId =>
  `int_${requestId.slice('req_'.length)}` as ResponseId;
/** The request that creates a response or an interaction. */
export const requestIdOf = (id: string): RequestId => `req_${id.slice(id.indexOf('_') + 1)}` as RequestId;
export const newConversationId = (): ConversationId => `conv_${randomBase32()}` as ConversationId;
/** `file-…`: clients of OpenAI's API expect the hyphen. */
export const newFileId = (): FileId => `file-${randomBase32()}` as FileId;
/** The format of all ids of files. Other text needs no query. */
export const FILE_ID = /^file-[a-z2-7]{26}$/;
/** The id of an item that a client adds to a conversation: `msg_…`, `fco_…`. */
export const newItemId = (prefix: string): string => `${prefix}_${randomBase32()}`;
/** `batch_…`, or `msgbatch_…` for one in Anthropic's format. */
export const newBatchId = (prefix: BatchPrefix): string => `${prefix}_${randomBase32()}`;
/** The id of the one batch that a name stands for: every edge makes the same of it. */
export function namedBatchId(prefix: BatchPrefix, name: string): string {
  const digest = createHash('sha256').update(name).digest().subarray(0, LENGTH);
  return `${prefix}_${Array.from(digest, (byte) => ALPHABET[byte & 31]).join('')}`;
}
type BatchPrefix = 'batch' | 'msgbatch';
/** The format of all ids of batches. Other text needs no query. */
export const BATCH_ID = /^(msg)?batch_[a-z2-7]{26}$/;
