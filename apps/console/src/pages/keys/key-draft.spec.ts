import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../../api/keys.js';
import { bodyOf, changeOf, draftOf, NEW_KEY } from './key-draft.js';

const KEY = {
  name: 'website',
  member_id: null,
  models: ['gm-2.5-flash', 'gp-5.4'],
  endpoints: null,
  allowed_ips: ['203.0.113.0/24'],
  rpm: 60,
  concurrency: null,
  spend_cap_usd: '5.00',
  expires_at: '2026-11-22T15:04:31.000Z',
  scopes: ['account:read'],
  keep_contents: false,
  caps: [{ period: 'day', measure: 'usd', limit: '1.00', hard: true, used: '0.20', resets_at: null }],
} as unknown as ApiKey;

describe('the draft of a key', () => {
  it('says nothing of what stays', () => {
    const draft = draftOf(KEY);
    expect(changeOf(draft, draft)).toEqual({});
    expect(changeOf(draft, { ...draft, name: 'shop', models: '', rpm: '' })).toEqual({
      name: 'shop',
      models: null,
      rpm: null,
    });
  });

  it('sends a limit that is no number as it is: without it the key would have no limit', () => {
    const { rpm, concurrency } = bodyOf({ ...NEW_KEY, name: 'new', rpm: '1.000.000', concurrency: 'ten' });
    expect([rpm, concurrency]).toEqual(['1.000.000', 'ten']);
  });

  it('gives and takes rights and owners', () => {
    const draft = draftOf(KEY);
    expect(changeOf(draft, { ...draft, isParent: true, memberId: 'member_1' })).toEqual({
      scopes: ['account:read', 'keys:children'],
      member_id: 'member_1',
    });
  });

  it('restricts nothing unless it is asked', () => {
    expect(bodyOf({ ...NEW_KEY, name: 'new', models: ' gm-2.5-flash,gp-5.4 ' })).toEqual({
      name: 'new',
      models: ['gm-2.5-flash', 'gp-5.4'],
      endpoints: null,
      allowed_ips: null,
      rpm: null,
      concurrency: null,
      spend_cap_usd: null,
      expires_at: null,
      scopes: [],
      keep_contents: false,
      caps: [],
    });
  });
});
