import { clientToolId, packed, unpacked, upstreamToolId, type VendorData } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

const vendor: VendorData = { protocol: 'gemini-generate', data: { thoughtSignature: 'a+/=ü' } };

describe('vendor data in an id', () => {
  it('returns as it was', () => {
    const id = clientToolId('call_1', vendor);
    expect(id).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(upstreamToolId(id)).toEqual({ id: 'call_1', vendor });
    expect(clientToolId('call_1', undefined)).toBe('call_1');
  });

  it.each([53, 40, 20])('is left out of an id that the client has cut to %i letters', (length) => {
    const cut = clientToolId('call_1', vendor).slice(0, length);
    expect(upstreamToolId(`${cut}_69c31eef31`)).toEqual({ id: 'call_1' });
  });

  it.each(['call_1', 'x__extra__not-json', '__extra__', 'toolu_1__extra__NQ', 'a__extra__W10'])(
    'leaves an id of the client unchanged: %s',
    (id) => {
      expect(upstreamToolId(id)).toEqual({ id });
    },
  );

  it('is never read from text that the gateway did not write', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = unpacked(text);
        if (read !== undefined) expect(packed(read)).toBe(text);
      }),
    );
    expect(unpacked(Buffer.from('["unknown-vendor",{}]').toString('base64url'))).toBeUndefined();
  });
});
