import { describe, expect, it } from '@jest/globals';
import { InteractionIds } from './interaction-ids.js';

const ids = new InteractionIds(['s'.repeat(32)]);
const location = { channelId: 'gemini-2', upstreamId: 'v1_ChdTbXNIRXhhbXBsZTAwMDAwMDAxEgRleDAx' };

describe('InteractionIds', () => {
  it('opens an id for the account that it was sealed for', () => {
    const id = ids.seal(location, 'acct_a');
    expect(id).toMatch(/^v1_[\w-]+$/);
    expect(ids.open(id, 'acct_a')).toEqual(location);
    expect(new InteractionIds(['s'.repeat(32)]).open(id, 'acct_a')).toEqual(location);
  });

  it('does not open an id for another account or under another secret', () => {
    const id = ids.seal(location, 'acct_a');
    expect(ids.open(id, 'acct_b')).toBeUndefined();
    expect(new InteractionIds(['t'.repeat(32)]).open(id, 'acct_a')).toBeUndefined();
  });

  it('opens ids of an old secret while that secret is still listed', () => {
    const id = ids.seal(location, 'acct_a');
    const changed = new InteractionIds(['t'.repeat(32), 's'.repeat(32)]);
    expect(changed.open(id, 'acct_a')).toEqual(location);
    expect(ids.open(changed.seal(location, 'acct_a'), 'acct_a')).toBeUndefined();
  });

  it('does not open an id with any character changed', () => {
    const id = ids.seal(location, 'acct_a');
    for (let at = 3; at < id.length - 1; at += 1) {
      const other = id[at] === 'A' ? 'B' : 'A';
      expect(ids.open(id.slice(0, at) + other + id.slice(at + 1), 'acct_a')).toBeUndefined();
    }
    for (const forged of ['', 'v1_', 'v1_abc', location.upstreamId, `v1_${'A'.repeat(60)}`, `${id}=`, `x${id}`]) {
      expect(ids.open(forged, 'acct_a')).toBeUndefined();
    }
  });

  it('reveals neither channel nor upstream id, and seals differently each time', () => {
    const id = ids.seal(location, 'acct_a');
    expect(Buffer.from(id.slice(3), 'base64url').toString('latin1')).not.toContain('gemini');
    expect(ids.seal(location, 'acct_a')).not.toBe(id);
  });
});
