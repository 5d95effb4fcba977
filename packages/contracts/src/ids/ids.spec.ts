import { describe, expect, it } from '@jest/globals';
import {
  BATCH_ID,
  FILE_ID,
  isRequestId,
  monthOfRequest,
  namedBatchId,
  newBatchId,
  newClaimToken,
  newFileId,
  newRequestId,
  requestIdOf,
  responseIdOf,
  TASK_ID,
  taskIdOf,
} from './ids.js';

const at = (time: string) => Date.parse(time);

describe('newRequestId', () => {
  it('carries its month, in UTC', () => {
    expect(newRequestId(at('2026-11-30T23:59:59.999Z'))).toMatch(/^req_202611[a-z2-7]{20}$/);
    expect(newRequestId(at('2026-12-01T00:00:00.000Z'))).toMatch(/^req_2026122222[a-z2-7]{16}$/);
    expect(newRequestId(at('2027-01-31T23:59:59.999Z'))).toMatch(/^req_202701[a-z2-7]{20}$/);
    expect(newRequestId(at('2026-11-01T00:00:00.000Z'))).toMatch(/^req_2026112222[a-z2-7]{16}$/);
  });

  it('sorts by time, byte by byte, from tick to tick and from month to month', () => {
    const start = at('2026-12-30T00:00:00Z');
    const ids = Array.from({ length: 2_000 }, (_, index) => newRequestId(start + index * 2_560 * 97));
    expect(ids.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(0, 10)))).toEqual(new Set(['req_202612', 'req_202701']));
  });

  it('is another one each time', () => {
    const nowMs = Date.now();
    expect(new Set(Array.from({ length: 10_000 }, () => newRequestId(nowMs))).size).toBe(10_000);
  });

  it('gives its task and its response the same month', () => {
    const id = newRequestId(at('2026-11-22Z'));
    expect(taskIdOf(id)).toMatch(/^task_202611/);
    expect(requestIdOf(responseIdOf(id))).toBe(id);
  });
});

describe('newClaimToken', () => {
  it('has 130 random bits', () => {
    const tokens = Array.from({ length: 1_000 }, newClaimToken);
    expect(new Set(tokens).size).toBe(1_000);
    for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{26}$/);
  });
});

describe('the format of an id', () => {
  it.each([
    [FILE_ID, newFileId()],
    [BATCH_ID, newBatchId('batch')],
    [BATCH_ID, newBatchId('msgbatch')],
    [BATCH_ID, namedBatchId('msgbatch', 'name')],
    [TASK_ID, taskIdOf(newRequestId())],
    [TASK_ID, 'cgt-20261122103000-abcde'],
  ])('%s is that of %s, and not of more', (format, id) => {
    expect(id).toMatch(format);
    expect(`${id}'`).not.toMatch(format);
    expect(`../${id}`).not.toMatch(format);
  });
});

describe('isRequestId', () => {
  it.each([newRequestId(), `req_${'a2'.repeat(13)}`])('accepts %s, with or without a month', (id) => {
    expect(isRequestId(id)).toBe(true);
  });

  it.each(['req_', `task_${'a'.repeat(26)}`, `req_${'A'.repeat(26)}`, `req_${'a'.repeat(27)}`])('refuses %s', (id) => {
    expect(isRequestId(id)).toBe(false);
  });
});

describe('monthOfRequest', () => {
  it('reads the month of an id, and none of an older id', () => {
    expect(monthOfRequest(newRequestId(at('2026-12-31T23:00:00Z')))).toEqual(new Date('2026-12-01Z'));
    expect(monthOfRequest(`req_${'a2'.repeat(13)}`)).toBeNull();
    expect(monthOfRequest('req_202613')).toBeNull();
  });
});
