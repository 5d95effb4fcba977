import { randomFillSync } from 'node:crypto';

/** A string that only its constructor or parser creates, so that the compiler distinguishes kinds of ids. */
type Branded<Brand extends string> = string & { readonly __brand: Brand };

export type RequestId = Branded<'RequestId'>;
export type AccountId = Branded<'AccountId'>;
export type KeyId = Branded<'KeyId'>;
export type TaskId = Branded<'TaskId'>;
export type ResponseId = Branded<'ResponseId'>;
export type ConversationId = Branded<'ConversationId'>;
export type FileId = Branded<'FileId'>;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const LENGTH = 26;
const POOL_BYTES = LENGTH * 256;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/** 26 base32 characters, 130 random bits. A pool of random bytes saves a system call for each id. */
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

/** `req_…`: the id of a request in queue, relay, hold, settlement, receipt and logs. */
export const newRequestId = (): RequestId => `req_${randomBase32()}` as RequestId;
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
export const newKeyId = (): KeyId => `key_${randomBase32()}` as KeyId;

/** `task_…`: shares its 26 characters with the request that submitted it, so that each can be derived from the other. */
export const taskIdOf = (requestId: RequestId): TaskId => `task_${requestId.slice('req_'.length)}` as TaskId;

/** `resp_…`: shares its 26 characters with the request that creates it, so that each can be derived from the other. */
export const responseIdOf = (requestId: RequestId): ResponseId =>
  `resp_${requestId.slice('req_'.length)}` as ResponseId;
/** The request that creates a response. */
export const requestIdOf = (responseId: string): RequestId => `req_${responseId.slice('resp_'.length)}` as RequestId;
export const newConversationId = (): ConversationId => `conv_${randomBase32()}` as ConversationId;
/** `file-…`: clients of OpenAI's API expect the hyphen. */
export const newFileId = (): FileId => `file-${randomBase32()}` as FileId;
/** The id of an item that a client adds to a conversation: `msg_…`, `fco_…`. */
export const newItemId = (prefix: string): string => `${prefix}_${randomBase32()}`;
/** `batch_…`, or `msgbatch_…` for one in Anthropic's format. */
export const newBatchId = (prefix: 'batch' | 'msgbatch'): string => `${prefix}_${randomBase32()}`;
