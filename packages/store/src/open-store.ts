import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { Disk, KeyNormalizer } from 'flydrive';
import type { DriverContract } from 'flydrive/types';
import { saysFull } from './failures.js';
import { DiskStore, type DriverExtras, type ObjectStore, type StoreOperation } from './object-store.js';

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
  /** Of one operation. A large object has more. */
  readonly timeoutMs?: number;
}

/** A slow store must not keep its caller for longer; a stream ends by its own reader. */
const TIMEOUT_MS = 30_000;
const CONNECTION_TIMEOUT_MS = 5_000;
/** A connection without a byte for so many times the time limit is closed. It would keep its place in the pool for ever. */
const SOCKET_TIMEOUTS = 2;
/** More than the readers that an edge admits: clients that read slowly would use up the SDK's 50, and leave none to others. */
const MAX_CONNECTIONS = 5_000;

/** Opens no connection: the first operation does. */
export async function openStore(
  location: StoreLocation,
  { onOperation, timeoutMs = TIMEOUT_MS }: StoreOptions,
): Promise<ObjectStore> {
  const opened = location.kind === 's3' ? await openBucket(location, timeoutMs) : await openDirectory(location.path);
  return new DiskStore(new Disk(opened.driver), opened, onOperation, timeoutMs);
}

interface OpenedDriver extends DriverExtras {
  readonly driver: DriverContract;
}

async function openDirectory(path: string): Promise<OpenedDriver> {
  const { FSDriver } = await import('flydrive/drivers/fs');
  class DirectoryDriver extends FSDriver {
    override async delete(key: string): Promise<void> {
      try {
        await super.delete(key);
      } finally {
        await removeFolder(path, key);
      }
    }
  }
  const driver = new DirectoryDriver({ location: pathToFileURL(`${path}/`), visibility: 'private' });
  return {
    driver,
    openRange: async (key, range) => {
      // Opened here, so that a missing file is reported before the first byte.
      const file = await open(join(path, new KeyNormalizer().normalize(key)));
      return file.createReadStream(range);
    },
    write: async (key, contents, _bytes, signal) => {
      try {
        await writeTo(join(path, key), contents, signal);
      } catch (error) {
        // A full disk keeps the first part of what did not fit, and no row leads to it. So it would stay full for ever.
        if (saysFull(error)) await driver.delete(key);
        throw error;
      }
    },
  };
}

/** The method of flydrive rejects with the abort of its source, which hides why the disk took no more. */
async function writeTo(location: string, contents: Buffer | Readable, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(location), { recursive: true });
  if (Buffer.isBuffer(contents)) await writeFile(location, contents, { signal });
  else await pipeline(contents, createWriteStream(location), { signal });
}

const KEPT_FOLDER = ['ENOENT', 'ENOTEMPTY', 'EEXIST'];

/**
 * Removes the folder of an owner, such as `requests/req_…`, once nothing is in it. Else each request would leave one for ever.
 * Folders of all owners, such as `files`, stay: another process may put an object into them now.
 */
async function removeFolder(path: string, key: string): Promise<void> {
  const folder = dirname(key);
  if (dirname(folder) === '.') return;
  await rmdir(join(path, folder)).catch((error: NodeJS.ErrnoException) => {
    if (!KEPT_FOLDER.includes(error.code ?? '')) throw error;
  });
}

const AGENT = { keepAlive: true, maxSockets: MAX_CONNECTIONS };

/** Loaded only where a bucket is used: the SDK costs a third of a second and 40 MB. */
async function openBucket(
  { bucket, region, endpoint, credentials }: Extract<StoreLocation, { kind: 's3' }>,
  timeoutMs: number,
): Promise<OpenedDriver> {
  const [{ S3Driver }, { S3Client, GetObjectCommand, PutObjectCommand }] = await Promise.all([
    import('flydrive/drivers/s3'),
    import('@aws-sdk/client-s3'),
  ]);
  const client = new S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUTS * timeoutMs,
      httpAgent: AGENT,
      httpsAgent: AGENT,
    },
    // Servers other than AWS refuse checksums that they do not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return {
    driver: new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }),
    openRange: async (key, { start, end }) => {
      const { Body } = await client.send(
        new GetObjectCommand({ Bucket: bucket, Key: key, Range: `bytes=${start}-${end}` }),
      );
      return Body as Readable;
    },
    write: async (key, contents, bytes, abortSignal) => {
      const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: contents, ContentLength: bytes });
      // The SDK reports no failure of the source itself.
      const failed = Buffer.isBuffer(contents)
        ? []
        : [once(contents, 'error').then(([error]) => Promise.reject(error))];
      await Promise.race([client.send(command, { abortSignal }), ...failed]);
    },
  };
}
