import { describe, expect, it } from '@jest/globals';
import { browserOf } from './browser-of.js';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

describe('browserOf', () => {
  it.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME}`, 'Chrome · Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/131.0.0.0`, 'Edge · Windows'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox · Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari · iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'Safari · macOS',
    ],
    ['curl/8.5.0', 'curl'],
    ['python-requests/2.32 extra', 'python-requests/2.32'],
  ])('calls %s %s', (agent, words) => expect(browserOf(agent)).toBe(words));

  it.each([null, ''])('has no name for %p', (agent) => expect(browserOf(agent)).toBeNull());
});
