import { z } from 'zod';
import { count, httpUrl } from './variables.js';

const GIBIBYTE = 1024 ** 3;

/** Where results are kept: a folder that all services of one machine share, or a bucket. Neither: results are not kept. */
export const storeVariables = {
  STORE_DIRECTORY: z.string().optional(),
  STORE_S3_BUCKET: z.string().optional(),
  STORE_S3_REGION: z.string().default('us-east-1'),
  /** Default: AWS. */
  STORE_S3_ENDPOINT: httpUrl.optional(),
  /** Default: the role of the process. */
  STORE_S3_ACCESS_KEY_ID: z.string().optional(),
  STORE_S3_SECRET_ACCESS_KEY: z.string().optional(),
};

/** What an account may keep, for every service that adds files. */
export const storageLimitVariables = {
  STORE_ACCOUNT_BYTES: count.default(10 * GIBIBYTE),
  STORE_ACCOUNT_FILES: count.default(10_000),
};

export const readStorageLimits = (variables: z.output<z.ZodObject<typeof storageLimitVariables>>) => ({
  bytes: variables.STORE_ACCOUNT_BYTES,
  objects: variables.STORE_ACCOUNT_FILES,
});

/** How long results are kept where an account says nothing. */
export const resultRetentionHours = count.default(24);
export const mediaRetentionDays = count.default(30);

interface StoreVariables {
  readonly STORE_DIRECTORY?: string | undefined;
  readonly STORE_S3_BUCKET?: string | undefined;
  readonly STORE_S3_REGION: string;
  readonly STORE_S3_ENDPOINT?: string | undefined;
  readonly STORE_S3_ACCESS_KEY_ID?: string | undefined;
  readonly STORE_S3_SECRET_ACCESS_KEY?: string | undefined;
}

/** One place for results, and both halves of a credential. */
export function checkStore({ value, issues }: z.core.ParsePayload<StoreVariables>): void {
  const refuse = (variable: keyof StoreVariables, message: string): void => {
    issues.push({ code: 'custom', path: [variable], message, input: value });
  };
  if (value.STORE_DIRECTORY !== undefined && value.STORE_S3_BUCKET !== undefined) {
    refuse('STORE_DIRECTORY', 'must not be set beside STORE_S3_BUCKET');
  }
  if ((value.STORE_S3_ACCESS_KEY_ID === undefined) !== (value.STORE_S3_SECRET_ACCESS_KEY === undefined)) {
    refuse('STORE_S3_SECRET_ACCESS_KEY', 'must be set exactly if STORE_S3_ACCESS_KEY_ID is');
  }
}

/** Whether a deployment with these variables keeps results. */
export const keepsResults = ({
  STORE_DIRECTORY,
  STORE_S3_BUCKET,
}: Pick<StoreVariables, 'STORE_DIRECTORY' | 'STORE_S3_BUCKET'>): boolean =>
  STORE_DIRECTORY !== undefined || STORE_S3_BUCKET !== undefined;

/** Undefined: results are not kept. */
export function readStore(variables: StoreVariables) {
  const { STORE_DIRECTORY: path, STORE_S3_BUCKET: bucket } = variables;
  if (path !== undefined) return { kind: 'directory', path } as const;
  if (bucket === undefined) return undefined;
  const { STORE_S3_ACCESS_KEY_ID: accessKeyId, STORE_S3_SECRET_ACCESS_KEY: secretAccessKey } = variables;
  return {
    kind: 's3',
    bucket,
    region: variables.STORE_S3_REGION,
    endpoint: variables.STORE_S3_ENDPOINT,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
  } as const;
}
