import { isGatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseWait } from './parse-wait.js';

describe('parseWait', () => {
  it.each([
    [{}, {}, undefined],
    [{ wait: true }, {}, 60_000],
    [{ wait: true, wait_timeout: 300 }, {}, 300_000],
    [{}, { wait: 'true' }, 60_000],
    [{}, { wait: 'true', wait_timeout: '5' }, 5_000],
    [{ wait: false }, { wait: 'true' }, undefined],
    [{ wait: true, wait_timeout: 7 }, { wait_timeout: '5' }, 7_000],
    [{ wait_timeout: 7 }, { wait: 'false' }, undefined],
  ])('reads body %j and query %j as %p', (body, query, waitMs) => {
    expect(parseWait(body, query)).toBe(waitMs);
  });

  it.each([
    [{ wait: 'yes' }, 'wait'],
    [{ wait: ['true', 'false'] }, 'wait'],
    [{ wait_timeout: '0' }, 'wait_timeout'],
    [{ wait_timeout: '301' }, 'wait_timeout'],
    [{ wait_timeout: '1.5' }, 'wait_timeout'],
    [{ wait_timeout: '' }, 'wait_timeout'],
  ])('rejects query %j and names the field', (query, param) => {
    try {
      parseWait({}, query);
    } catch (error) {
      expect(isGatewayError(error) && error.details.param).toBe(param);
      return;
    }
    throw new Error('nothing was rejected');
  });
});
