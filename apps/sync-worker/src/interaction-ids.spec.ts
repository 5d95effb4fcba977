import { describe, expect, it } from '@jest/globals';
import { InteractionIds } from './interaction-ids.js';

const ids = new InteractionIds(['s'.repeat(32)]);
const place = { channelId: 'gemini-2', upstreamId: 'v1_ChdTbXNIRXhhbXBsZTAwMDAwMDAxEgRleDAx' };

describe('the public id of an interaction', () => {
  it('leads its own account back to where the interaction is', () => {
    const id = ids.seal(place, 'acct_a');
    expect(id).toMatch(/^v1_[\w-]+$/);
    expect(ids.open(id, 'acct_a')).toEqual(place);
    expect(new InteractionIds(['s'.repeat(32)]).open(id, 'acct_a')).toEqual(place);
  });

  it('is nothing to another account, and nothing under another secret', () => {
    const id = ids.seal(place, 'acct_a');
    expect(ids.open(id, 'acct_b')).toBeUndefined();
    expect(new InteractionIds(['t'.repeat(32)]).open(id, 'acct_a')).toBeUndefined();
  });

  it('outlives its secret as long as that one is named behind the new one', () => {
    const id = ids.seal(place, 'acct_a');
    const changed = new InteractionIds(['t'.repeat(32), 's'.repeat(32)]);
    expect(changed.open(id, 'acct_a')).toEqual(place);
    expect(ids.open(changed.seal(place, 'acct_a'), 'acct_a')).toBeUndefined();
  });

  it('is nothing once any of its characters is another one', () => {
    const id = ids.seal(place, 'acct_a');
    for (let at = 3; at < id.length - 1; at += 1) {
      const other = id[at] === 'A' ? 'B' : 'A';
      expect(ids.open(id.slice(0, at) + other + id.slice(at + 1), 'acct_a')).toBeUndefined();
    }
    for (const forged of ['', 'v1_', 'v1_abc', place.upstreamId, `v1_${'A'.repeat(60)}`, `${id}=`, `x${id}`]) {
      expect(ids.open(forged, 'acct_a')).toBeUndefined();
    }
  });

  it('shows neither channel nor upstream id, and is never the same twice', () => {
    const id = ids.seal(place, 'acct_a');
    expect(Buffer.from(id.slice(3), 'base64url').toString('latin1')).not.toContain('gemini');
    expect(ids.seal(place, 'acct_a')).not.toBe(id);
  });
});
