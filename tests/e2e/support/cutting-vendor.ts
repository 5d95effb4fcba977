import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Sends the bytes in two writes. The second one begins after the first has left the process. */
export function endCut(stream: Writable, bytes: Buffer, cut: number): void {
  if (cut === 0) stream.end(bytes);
  else stream.write(bytes.subarray(0, cut), () => stream.end(bytes.subarray(cut)));
}

/** A vendor that sends the same bytes to each request, each time cut at the next byte, and keeps what it received. */
export class CuttingVendor {
  readonly received: string[] = [];
  #bytes = Buffer.alloc(0);
  #contentType = '';
  #step = 1;
  #cut = 0;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<CuttingVendor> {
    // An idle connection stays open: closing it could meet the next request.
    const server = createServer({ noDelay: true, keepAliveTimeout: 120_000 });
    const vendor = new CuttingVendor(server);
    server.on('request', async (request, response) => {
      vendor.received.push((await buffer(request)).toString('utf8'));
      const bytes = vendor.#bytes;
      const isStream = vendor.#contentType === 'text/event-stream';
      response.writeHead(200, {
        'content-type': vendor.#contentType,
        ...(!isStream && { 'content-length': bytes.length }),
      });
      endCut(response, bytes, vendor.#cut % (bytes.length + 1));
      vendor.#cut += vendor.#step;
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Forgets what it received. `step`: bytes between two cuts. */
  serve(text: string, contentType: string, step: number): void {
    this.received.length = 0;
    this.#bytes = Buffer.from(text);
    this.#contentType = contentType;
    this.#step = step;
    this.#cut = 0;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}
