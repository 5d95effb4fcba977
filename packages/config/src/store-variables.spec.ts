import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { loadConfig } from './load-config.js';
import { checkStore, readStorageLimits, readStore, storageLimitVariables, storeVariables } from './store-variables.js';

const store = z.object(storeVariables).check(checkStore).transform(readStore);

const issuesOf = (variables: Readonly<Record<string, string>>) =>
  store.safeParse(variables).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`);

describe('the settings of the store', () => {
  it('keep nothing where none is set, also if they are empty', () => {
    expect(store.parse({})).toBeUndefined();
    const empty = { STORE_DIRECTORY: '', STORE_S3_BUCKET: '', STORE_S3_ENDPOINT: '' };
    expect(loadConfig('api-edge', store, empty)).toBeUndefined();
  });

  it('name a folder, or a bucket with its defaults', () => {
    expect(store.parse({ STORE_DIRECTORY: '/var/results' })).toEqual({ kind: 'directory', path: '/var/results' });
    expect(store.parse({ STORE_S3_BUCKET: 'results' })).toEqual({
      kind: 's3',
      bucket: 'results',
      region: 'us-east-1',
      endpoint: undefined,
      credentials: undefined,
    });
    expect(
      store.parse({
        STORE_S3_BUCKET: 'results',
        STORE_S3_REGION: 'garage',
        STORE_S3_ENDPOINT: 'http://10.0.0.5:3900',
        STORE_S3_ACCESS_KEY_ID: 'id',
        STORE_S3_SECRET_ACCESS_KEY: 'secret',
      }),
    ).toMatchObject({
      region: 'garage',
      endpoint: 'http://10.0.0.5:3900',
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    });
  });

  it.each([
    [{ STORE_DIRECTORY: '/var/results', STORE_S3_BUCKET: 'results' }, 'STORE_DIRECTORY must not be set beside'],
    [{ STORE_S3_BUCKET: 'results', STORE_S3_ACCESS_KEY_ID: 'id' }, 'STORE_S3_SECRET_ACCESS_KEY must be set exactly if'],
    [{ STORE_S3_BUCKET: 'results', STORE_S3_SECRET_ACCESS_KEY: 's' }, 'STORE_S3_SECRET_ACCESS_KEY must be set exactly'],
    [{ STORE_S3_BUCKET: 'results', STORE_S3_ENDPOINT: 'ftp://a' }, 'STORE_S3_ENDPOINT'],
  ])('refuse %j and name the variable', (variables, expected) => {
    expect(issuesOf(variables as Readonly<Record<string, string>>)).toEqual([expect.stringContaining(expected)]);
  });
});

describe('the limits of an account', () => {
  const limits = z.object(storageLimitVariables).transform(readStorageLimits);

  it('have defaults, and are whole numbers above zero', () => {
    expect(limits.parse({})).toEqual({ bytes: 10 * 1024 ** 3, objects: 10_000 });
    expect(limits.parse({ STORE_ACCOUNT_BYTES: '5', STORE_ACCOUNT_FILES: '2' })).toEqual({ bytes: 5, objects: 2 });
    for (const value of ['0', '-1', '1.5', 'many']) {
      expect(limits.safeParse({ STORE_ACCOUNT_BYTES: value }).success).toBe(false);
    }
  });
});
