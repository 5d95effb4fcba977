import { expect, it } from '@jest/globals';
import { REQUEST_COLUMNS, requestCells } from './request-line.js';

const line = {
  request_id: 'req_1',
  outcome: 'completed',
  http_status: 200,
  error_code: null,
  endpoint: 'chat.completions',
  model: 'gm-2.5-flash',
  key_id: 'key_1',
  idempotency_key: null,
  cost_usd: '0.01',
  admitted_at: '2026-11-28T10:00:00.000Z',
  first_byte_at: null,
  settled_at: '2026-11-28T10:00:01.000Z',
  duration_ms: 1_000,
};

it('gives the tokens of a request in columns of the file', () => {
  const cells = requestCells({ ...line, units: { input_token: 12, output_token: 7 } });
  expect(cells).toMatchObject({ request_id: 'req_1', input_token: 12, output_token: 7, other_units: '' });
  expect(REQUEST_COLUMNS).toEqual(expect.arrayContaining(['input_token', 'cached_input_token', 'output_token']));
});

it('gives all other units in one column', () => {
  const { other_units: others } = requestCells({ ...line, units: { image: 2, input_token: 1 } });
  expect(others).toBe('{"image":2}');
});
