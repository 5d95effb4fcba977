import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from './logger.js';
import { NestLogger } from './nest-logger.js';

function recorded(level = 'trace'): { logger: Logger; lines: Record<string, unknown>[]; text: () => string } {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  return {
    logger: createLogger({ service: 'api-edge', level, destination }),
    get lines() {
      return written.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    text: () => written.join(''),
  };
}

describe('a log line', () => {
  it('contains the service, an ISO time and its fields', () => {
    const log = recorded();
    log.logger.info({ requestId: 'req_1' }, 'admitted');
    const [line] = log.lines;
    expect(line).toMatchObject({ service: 'api-edge', requestId: 'req_1', msg: 'admitted' });
    expect(new Date(String(line?.time)).toISOString()).toBe(line?.time);
  });

  it('contains the request id of its child logger', () => {
    const log = recorded();
    const child = log.logger.child({ requestId: 'req_2' });
    child.info('one');
    child.warn('two');
    expect(log.lines.map(({ requestId }) => requestId)).toEqual(['req_2', 'req_2']);
  });

  it('is left out if many warnings have the same error, unlike errors and information', () => {
    const log = recorded();
    for (const level of ['info', 'warn', 'error'] as const)
      for (let number = 0; number < 30; number += 1)
        log.logger[level]({ err: new Error('connect ECONNREFUSED'), requestId: `req_${number}` }, level);
    log.logger.warn({ err: new Error('another'), requestId: 'req_30' }, 'warn');
    log.logger.warn({ requestId: 'req_31' }, 'warn');
    const count = (msg: string) => log.lines.filter((line) => line.msg === msg).length;
    expect([count('info'), count('warn'), count('error')]).toEqual([30, 10 + 2, 30]);
  });

  it('is dropped below the level', () => {
    const log = recorded('warn');
    log.logger.info('quiet');
    expect(log.lines).toEqual([]);
  });

  it.each([
    ['a header', { headers: { authorization: 'zzz-hidden', 'x-api-key': 'zzz-hidden', cookie: 'zzz-hidden' } }],
    ['a setting', { apiKey: 'zzz-hidden', config: { secret: 'zzz-hidden', channel: { credential: 'zzz-hidden' } } }],
    ['a header deep inside', { a: { b: { c: { d: { Authorization: 'zzz-hidden' } } } } }],
    ['a secret with a quote in it', { adminToken: 'a"zzz-hidden\\' }],
    ['a key in a text', { text: 'called with sk-zzz-hidden-0123456789' }],
    ['a vendor key in an address', { url: 'https://h/v1?key=AIzazzz-hidden_0123' }],
    ['a long vendor key', { text: `called with xai-zzz-hidden-${'0a'.repeat(16)}` }],
    ['a bearer token deep inside', { a: { b: { c: { d: ['Bearer zzz-hidden.0123456789'] } } } }],
    ['a relay credential', { header: 'Relay zzz-hidden.1800000000.abcdef' }],
    ['a password in an address', { url: 'postgresql://user:zzz-hidden@host:5432/db' }],
    ['a password without a user', { url: 'redis://:zzz-hidden@host:6379' }],
  ])('never shows %s', (_what, fields) => {
    const log = recorded();
    log.logger.error(fields, 'failed');
    expect(log.text()).not.toContain('zzz-hidden');
    expect(log.text()).toContain('[removed]');
    expect(log.lines).toHaveLength(1);
  });

  it('never shows a secret inside an error', () => {
    const log = recorded();
    const cause = new Error('refused postgresql://user:zzz-hidden@host/db');
    log.logger.error({ err: new Error('key sk-zzz-hidden-0123456789 is wrong', { cause }) }, 'failed');
    expect(log.text()).not.toContain('zzz-hidden');
    expect(log.lines[0]).toMatchObject({ err: { type: 'Error' } });
  });

  it('keeps URLs and ids without secrets unchanged', () => {
    const log = recorded();
    const fields = {
      url: 'https://host:8080/a:b@c',
      channel: 'xai-simulator',
      requestId: 'req_abcdefghijklmnop',
      units: { output_token: 5 },
      tokens: 'many',
    };
    log.logger.info(fields, 'Bearer of news');
    expect(log.lines[0]).toMatchObject({ ...fields, msg: 'Bearer of news' });
  });
});

describe('NestLogger', () => {
  it('logs start-up messages as debug, warnings and errors as such', () => {
    const log = recorded();
    const nest = new NestLogger(log.logger);
    nest.log('mapped a route', 'RouterExplorer');
    nest.warn('old', 'Router');
    nest.error('broken', 'at line 1', 'Injector');
    expect(log.lines.map(({ level, msg, context }) => [level, msg, context])).toEqual([
      [20, 'mapped a route', 'RouterExplorer'],
      [40, 'old', 'Router'],
      [50, 'broken', 'Injector'],
    ]);
  });
});
