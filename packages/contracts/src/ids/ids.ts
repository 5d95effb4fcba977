import { randomFillSync } from 'node:crypto';

/** A string that only its own constructor or parser may make: two kinds of id cannot be mixed up. */
type Branded<Brand extends string> = string & { readonly __brand: Brand };

export type RequestId = Branded<'RequestId'>;
export type AccountId = Branded<'AccountId'>;
export type KeyId = Branded<'KeyId'>;
export type TaskId = Branded<'TaskId'>;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;
const POOL_BYTES = LENGTH * 256;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** 26 base32 characters, 130 random bits, from a pool so that an id costs no system call of its own. */
function randomBase32(): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  let text = '';
  for (let index = 0; index < LENGTH; index += 1) text += ALPHABET[(pool[used + index] as number) & 31];
  used += LENGTH;
  return text;
}

/** `req_…`: names one request everywhere: queue job, relay stream, hold, settlement, receipt, log line. */
export const newRequestId = (): RequestId => `req_${randomBase32()}` as RequestId;
export const newAccountId = (): AccountId => `acct_${randomBase32()}` as AccountId;
export const newKeyId = (): KeyId => `key_${randomBase32()}` as KeyId;

/** `task_…`: a task and the request that submitted it share their 26 characters, so that either leads to the other. */
export const taskIdOf = (requestId: RequestId): TaskId => `task_${requestId.slice('req_'.length)}` as TaskId;
