import { describe, expect, it } from '@jest/globals';
import { logJobFailures } from './log-job-failures.js';
import { createLogger } from './logger.js';

describe('logJobFailures', () => {
  it('logs each failed job, and a problem of all queues once', () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = logJobFailures(createLogger({ service: 'sync-worker', level: 'info', destination }), 'worker failed');
    const away = new Error('connect ECONNREFUSED');
    for (const vendor of ['openai', 'gemini', 'ark']) log({ err: away, vendor });
    log({ err: new Error('Socket timeout'), vendor: 'openai' });
    for (const requestId of ['req_1', 'req_2']) log({ err: away, vendor: 'openai', requestId });
    const logged = lines.map((line) => JSON.parse(line) as { requestId?: string; err: { message: string } });
    expect(logged.map(({ requestId, err }) => requestId ?? err.message)).toEqual([
      'connect ECONNREFUSED',
      'Socket timeout',
      'req_1',
      'req_2',
    ]);
  });
});
