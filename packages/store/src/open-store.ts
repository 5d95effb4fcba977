import { pathToFileURL } from 'node:url';
import { Disk } from 'flydrive';
import type { DriverContract } from 'flydrive/types';
import { DiskStore, type ObjectStore, type StoreOperation } from './object-store.js';

/** A folder that every service of one machine shares, or a bucket of S3-compatible storage. */
export type StoreLocation =
  | { readonly kind: 'directory'; readonly path: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly region: string;
      /** Absent: AWS itself. */
      readonly endpoint?: string | undefined;
      /** Absent: the SDK's own chain, such as a role of the pod. */
      readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
    };

export interface StoreOptions {
  /** Called after every operation. */
  readonly onOperation: (operation: StoreOperation) => void;
}

/** Opens no connection: the first operation does. */
export async function openStore(location: StoreLocation, { onOperation }: StoreOptions): Promise<ObjectStore> {
  const driver = location.kind === 's3' ? await openBucket(location) : await openDirectory(location.path);
  return new DiskStore(new Disk(driver), onOperation);
}

async function openDirectory(path: string): Promise<DriverContract> {
  const { FSDriver } = await import('flydrive/drivers/fs');
  return new FSDriver({ location: pathToFileURL(`${path}/`), visibility: 'private' });
}

/** Loaded only where a bucket is used: the SDK costs a third of a second and 40 MB. */
async function openBucket({
  bucket,
  region,
  endpoint,
  credentials,
}: Extract<StoreLocation, { kind: 's3' }>): Promise<DriverContract> {
  const [{ S3Driver }, { S3Client }] = await Promise.all([import('flydrive/drivers/s3'), import('@aws-sdk/client-s3')]);
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    // Servers other than AWS refuse checksums that they do not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return new S3Driver({ client, bucket, visibility: 'private', supportsACL: false });
}
