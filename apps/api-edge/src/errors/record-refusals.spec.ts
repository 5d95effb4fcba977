import { GatewayError, newApiKey } from '@gateway/contracts';
import { expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import type { KeyCaller } from '../edge-request.js';
import { setCaller } from '../http/request-context.js';
import { RecordRefusals } from './record-refusals.service.js';

it('records no key that a client has put into the path or the model by mistake', () => {
  const key = newApiKey('live');
  const record = jest.fn(async () => undefined);
  const request = {
    id: 'req_1',
    method: 'GET',
    headers: {},
    url: `/v1/models/${key}?key=${key}`,
  } as unknown as FastifyRequest;
  setCaller(request, { key: { accountId: 'acct_a', keyId: 'key_a', isTest: false } } as KeyCaller);
  const message = `There is no model ${key}.`;
  new RecordRefusals({ record }, {} as never).add(request, new GatewayError('model_not_found', message));
  expect(record.mock.calls).toMatchObject([['acct_a', { path: '/v1/models/…', message: 'There is no model ….' }]]);
});
