/** The package has no types of its own. */
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';
  import type { Readable } from 'node:stream';

  interface Context {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly request: { readonly method: string };
    status: number;
    type: string;
    body: string | Buffer | Readable;
    respond: boolean;
  }

  export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;

  interface Options {
    readonly port: number;
    readonly address: string;
    readonly silent: boolean;
    readonly directory: string;
    readonly vhostBuckets: boolean;
    readonly configureBuckets: readonly { readonly name: string }[];
  }

  export default class S3rver {
    constructor(options: Options);
    /** Runs before its own, which follow in order. */
    readonly middleware: Middleware[];
    readonly logger: { silent: boolean };
    readonly httpServer: Server;
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
