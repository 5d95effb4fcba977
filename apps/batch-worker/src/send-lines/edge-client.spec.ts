import { HttpFailure, type HttpPools } from '@gateway/http';
import { expect, it } from '@jest/globals';
import { EdgeClient, ResponseTooLarge } from './edge-client.js';

const identity = () => ({
  batchId: 'batch_1',
  keySha256: 'k',
  budgetNanoUsd: null,
  spentNanoUsd: '0',
  budgetEndsAtMs: 0,
});

/** An edge whose response cannot be read to its end. */
function clientWhose(kind: HttpFailure['kind']): EdgeClient {
  const failure = new HttpFailure(kind, { wasSent: true, isTimeout: false, code: 'E' });
  const bytes = () => Promise.reject(failure);
  const pools = { send: async () => ({ status: 200, headers: { 'x-cost-usd': '0.5' }, bytes }) };
  return new EdgeClient(pools as unknown as HttpPools, { url: 'http://edge', secret: 's'.repeat(32) }, identity);
}

const signal = new AbortController().signal;

it('says what a response cost that is too large to be read', async () => {
  const read = clientWhose('too_large').get('/v1/requests/req_1/result', signal);
  await expect(read).rejects.toBeInstanceOf(ResponseTooLarge);
  await expect(read).rejects.toMatchObject({ headers: { 'x-cost-usd': '0.5' } });
});

it('leaves every other failure as it is', async () => {
  await expect(clientWhose('ambiguous').get('/v1/models', signal)).rejects.toBeInstanceOf(HttpFailure);
});
