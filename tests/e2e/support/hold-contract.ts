import { takeContractFaults, watchFetch } from '@gateway/testing';
import { afterAll, expect } from '@jest/globals';

/* Runs before every scenario: each answer that it gets is held against the documents in `docs/openapi`. */

watchFetch();

afterAll(() => {
  expect(takeContractFaults()).toEqual([]);
});
