import { GatewayError } from '@gateway/contracts';
import { expect, it } from '@jest/globals';
import { unlessAway } from './unless-away.js';

const unavailable = () => new GatewayError('service_unavailable', 'Try again shortly.');
const failing = (error: Error) => unlessAway(Promise.reject(error), unavailable);

it('hides the address of a database that is away', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { syscall: 'connect' });
  await expect(failing(refused)).rejects.toEqual(unavailable());
});

it('does not call a fault of ours an outage', async () => {
  const fault = new TypeError('rows is not iterable');
  await expect(failing(fault)).rejects.toBe(fault);
});
