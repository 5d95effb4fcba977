import { describe, expect, it } from '@jest/globals';
import type { Batch } from './batch.js';
import { renderMessageBatch } from './render-batch.js';

const batch: Batch = {
  id: 'msgbatch_a',
  accountId: 'acc_a',
  isTest: false,
  keyId: 'key_a',
  format: 'anthropic',
  endpoint: 'messages',
  status: 'completed',
  inputObject: 'batches/msgbatch_a/input',
  inputFileId: null,
  metadata: {},
  budgetNanoUsd: null,
  costNanoUsd: 0n,
  outputSeconds: 60,
  total: 1,
  counts: { completed: 1, failed: 0, expired: 0, cancelled: 0 },
  errors: null,
  waitsFor: null,
  outputFileId: null,
  errorFileId: null,
  createdAtMs: 0,
  windowEndsAtMs: 0,
  startedAtMs: 0,
  finalizingAtMs: 0,
  finishedAtMs: 1,
  cancelRequestedAtMs: null,
  resultsRemovedAtMs: null,
};
const addressOf = (more: Partial<Batch>, origin?: string) =>
  renderMessageBatch({ ...batch, ...more }, String, origin).results_url;

describe('the address of the results of a batch in the messages format', () => {
  it('is whole where the host is known, as official clients expect', () => {
    expect(addressOf({}, 'https://gateway.example')).toBe(
      'https://gateway.example/v1/messages/batches/msgbatch_a/results',
    );
    expect(addressOf({})).toBe('/v1/messages/batches/msgbatch_a/results');
  });

  it('is null before the end and after the removal', () => {
    expect(addressOf({ finishedAtMs: null }, 'https://gateway.example')).toBeNull();
    expect(addressOf({ resultsRemovedAtMs: 2 }, 'https://gateway.example')).toBeNull();
  });
});
