import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import S3rver, { type Middleware } from '@20minutes/s3rver';

/**
 * `full`: writes are refused. `slow_down`: every request is. `silent`: no request gets a response. `cut`: the connection ends in
 * the middle of an object. `short`: half of an object comes as if it were all of it.
 */
export type S3Fault = 'none' | 'full' | 'slow_down' | 'silent' | 'cut' | 'short';

const isDamage = (fault: S3Fault): fault is 'cut' | 'short' => fault === 'cut' || fault === 'short';

const ERRORS = { slow_down: [503, 'SlowDown'], full: [507, 'QuotaExceeded'] } as const;

/** An S3 server in this process, over a folder. It checks every signature with code that is not the SDK's. */
export class S3Server {
  /** Its only account. */
  static readonly credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  static readonly bucket = 'results';
  fault: S3Fault = 'none';
  /** Requests with the fault; then it works again. */
  faultyRequests = Number.POSITIVE_INFINITY;
  /** Each request, as its method and path. */
  readonly requests: string[] = [];
  #held: Promise<void> | undefined;
  #endpoint = '';

  private constructor(
    private readonly server: S3rver,
    private readonly folder: string,
  ) {}

  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 'gateway-s3-'));
    const server = new S3rver({
      ...{ address: '127.0.0.1', port: 0, silent: true, directory: folder, vhostBuckets: false },
      configureBuckets: [{ name: S3Server.bucket }],
    });
    const started = new S3Server(server, folder);
    server.logger.silent = true;
    server.middleware.unshift(started.#fail);
    const { port } = await server.run();
    started.#endpoint = `http://127.0.0.1:${port}`;
    return started;
  }

  get endpoint(): string {
    return this.#endpoint;
  }

  /** The settings of a service that keeps its results here. */
  get settings(): Readonly<Record<string, string>> {
    return {
      STORE_DIRECTORY: '',
      STORE_S3_BUCKET: S3Server.bucket,
      STORE_S3_ENDPOINT: this.#endpoint,
      STORE_S3_ACCESS_KEY_ID: S3Server.credentials.accessKeyId,
      STORE_S3_SECRET_ACCESS_KEY: S3Server.credentials.secretAccessKey,
    };
  }

  /** Ends a fault. */
  work(): void {
    this.fault = 'none';
    this.faultyRequests = Number.POSITIVE_INFINITY;
  }

  /** Lets requests wait until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** Names of the files that hold its objects. */
  async objects(): Promise<readonly string[]> {
    const entries = await readdir(join(this.folder, S3Server.bucket), { recursive: true });
    return entries.filter((name) => name.endsWith('_object'));
  }

  async stop(): Promise<void> {
    this.server.httpServer.closeAllConnections();
    await this.server.close();
    await rm(this.folder, { recursive: true });
  }

  #fail: Middleware = async (context, next) => {
    const { method, url } = context.req;
    this.requests.push(`${method} ${url?.split('?', 1)[0]}`);
    await this.#held;
    const { fault } = this;
    if (fault === 'none' || this.faultyRequests <= 0 || (fault === 'full' && method !== 'PUT')) return next();
    if (isDamage(fault)) return method === 'GET' ? next().then(() => sendHalf(context, fault)) : next();
    this.faultyRequests -= 1;
    if (fault === 'silent') {
      context.respond = false;
      return;
    }
    const [status, code] = ERRORS[fault];
    context.req.resume();
    context.status = status;
    context.type = 'application/xml';
    context.body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  };
}

/** Replaces the object that the server would send. */
async function sendHalf(context: Parameters<Middleware>[0], fault: 'cut' | 'short'): Promise<void> {
  if (!(context.body instanceof Readable)) return;
  const object = Buffer.concat(await context.body.toArray());
  const half = object.subarray(0, object.length / 2);
  if (fault === 'short') {
    context.body = half;
    return;
  }
  context.respond = false;
  context.res.writeHead(context.status, { 'content-length': object.length });
  context.res.write(half, () => context.res.destroy());
}
