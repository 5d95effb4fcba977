import { describe, expect, it } from '@jest/globals';
import { errorIn, failureOf } from './failures.js';

describe('an error of the public API', () => {
  it.each([
    [
      { error: { message: 'No', type: 'invalid_request_error', code: 'unsupported_value', param: 'size' } },
      'unsupported_value',
      'size',
    ],
    [{ code: 'InvalidParameter', message: 'No', request_id: 'r' }, 'InvalidParameter', null],
    [{ type: 'error', error: { type: 'invalid_request_error', message: 'No' } }, 'invalid_request_error', null],
    [{ error: { code: 400, message: 'No', status: 'INVALID_ARGUMENT' } }, 'INVALID_ARGUMENT', null],
  ])('is read in each form', (body, code, param) => {
    expect(errorIn(body, 400, 'req_1')).toMatchObject({
      message: 'No',
      status: 400,
      code,
      param,
      requestId: 'req_1',
    });
  });

  it('of a proxy has its status and no words', async () => {
    const response = new Response('<html>', { status: 502, headers: { 'x-request-id': 'req_2' } });
    expect(await failureOf(response)).toMatchObject({ status: 502, code: 'unknown', requestId: 'req_2' });
  });
});
