import { expect, it, jest } from '@jest/globals';
import { soonOrUnavailable } from './state-access.js';

it('waits five seconds for a silent PostgreSQL', async () => {
  jest.useFakeTimers();
  const refused = expect(soonOrUnavailable(new Promise(() => undefined))).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  await jest.advanceTimersByTimeAsync(5_000);
  await refused;
  jest.useRealTimers();
});
