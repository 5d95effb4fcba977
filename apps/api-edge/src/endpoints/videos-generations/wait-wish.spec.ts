import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { waitWish } from './wait-wish.js';

describe('waitWish', () => {
  it.each([
    [{}, {}, undefined],
    [{ wait: true }, {}, 60_000],
    [{ wait: true, wait_timeout: 300 }, {}, 300_000],
    [{}, { wait: 'true' }, 60_000],
    [{}, { wait: 'true', wait_timeout: '5' }, 5_000],
    [{ wait: false }, { wait: 'true' }, undefined],
    [{ wait: true, wait_timeout: 7 }, { wait_timeout: '5' }, 7_000],
    [{ wait_timeout: 7 }, { wait: 'false' }, undefined],
  ])('of %j and ?%j is %p', (body, query, waitMs) => {
    expect(waitWish(body, query)).toBe(waitMs);
  });

  it.each([
    [{ wait: 'yes' }, 'wait'],
    [{ wait: ['true', 'false'] }, 'wait'],
    [{ wait_timeout: '0' }, 'wait_timeout'],
    [{ wait_timeout: '301' }, 'wait_timeout'],
    [{ wait_timeout: '1.5' }, 'wait_timeout'],
    [{ wait_timeout: '' }, 'wait_timeout'],
  ])('refuses ?%j by its name', (query, param) => {
    try {
      waitWish({}, query);
    } catch (error) {
      expect(isGatewayError(error) && error.details.param).toBe(param);
      return;
    }
    throw new Error('nothing was refused');
  });
});
