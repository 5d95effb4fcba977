import type { ApiKey, Cap } from '../../api/keys.js';
import { isoTime, localTime } from '../../format/time.js';
import { type CapDraft, capsOf, draftsOf } from '../../parts/cap-drafts.js';
import { changedFields } from '../../parts/changed-fields.js';
import { numberOrText, usdOrText } from '../../parts/number-text.js';

/** A key while a person types it: everything is text. */
export interface KeyDraft {
  readonly name: string;
  /** Lists have commas or blanks between their items; empty: no restriction. */
  readonly models: string;
  readonly endpoints: string;
  readonly addresses: string;
  readonly rpm: string;
  readonly concurrency: string;
  readonly budget: string;
  /** `2026-11-22T15:04` in the zone of the browser; empty: it does not end. */
  readonly ends: string;
  readonly isReader: boolean;
  readonly isParent: boolean;
  readonly keepsContents: boolean;
  readonly caps: readonly CapDraft[];
  /** Empty: the organisation's own; undefined: the person who makes it. */
  readonly memberId?: string;
}

export const NEW_KEY: KeyDraft = {
  name: '',
  models: '',
  endpoints: '',
  addresses: '',
  rpm: '',
  concurrency: '',
  budget: '',
  ends: '',
  isReader: false,
  isParent: false,
  keepsContents: false,
  caps: [],
};

const READS = 'account:read';
const MAKES_CHILDREN = 'keys:children';
export const listOf = (text: string): readonly string[] | null => {
  const items = text.split(/[\s,]+/).filter((item) => item !== '');
  return items.length === 0 ? null : items;
};

const textOf = (value: string | number | null): string => (value === null ? '' : String(value));

export const draftOf = (key: ApiKey): KeyDraft => ({
  name: key.name ?? '',
  models: key.models?.join(', ') ?? '',
  endpoints: key.endpoints?.join(', ') ?? '',
  addresses: key.allowed_ips?.join(', ') ?? '',
  rpm: textOf(key.rpm),
  concurrency: textOf(key.concurrency),
  budget: textOf(key.spend_cap_usd),
  ends: key.expires_at === null ? '' : localTime(key.expires_at),
  isReader: key.scopes.includes(READS),
  isParent: key.scopes.includes(MAKES_CHILDREN),
  keepsContents: key.keep_contents,
  caps: draftsOf(key.caps),
  memberId: key.member_id ?? '',
});

interface KeyBody {
  readonly name: string;
  readonly models: readonly string[] | null;
  readonly endpoints: readonly string[] | null;
  readonly allowed_ips: readonly string[] | null;
  readonly rpm: number | string | null;
  readonly concurrency: number | string | null;
  readonly spend_cap_usd: string | null;
  readonly expires_at: string | null;
  readonly scopes: readonly string[];
  readonly keep_contents: boolean;
  readonly caps: readonly Cap[];
  readonly member_id?: string | null;
}

/** As the account interface takes it. Null: no limit. */
export const bodyOf = (draft: KeyDraft): KeyBody => ({
  name: draft.name,
  models: listOf(draft.models),
  endpoints: listOf(draft.endpoints),
  allowed_ips: listOf(draft.addresses),
  rpm: numberOrText(draft.rpm),
  concurrency: numberOrText(draft.concurrency),
  spend_cap_usd: usdOrText(draft.budget) || null,
  expires_at: draft.ends === '' ? null : isoTime(draft.ends),
  scopes: [...(draft.isReader ? [READS] : []), ...(draft.isParent ? [MAKES_CHILDREN] : [])],
  keep_contents: draft.keepsContents,
  caps: capsOf(draft.caps),
  ...(draft.memberId !== undefined && { member_id: draft.memberId === '' ? null : draft.memberId }),
});

/** Only what the person changed. */
export const changeOf = (before: KeyDraft, after: KeyDraft): Partial<KeyBody> =>
  changedFields(bodyOf(before), bodyOf(after));
