import { type Customer, eventually, type FullResponse, fullResponse, type TestStack } from '@gateway/testing';
import { expect } from '@jest/globals';

export const LATER = { prefer: 'respond-async' };

/** The record of a kept request, as its customer sees it. */
export interface KeptRecord {
  readonly id: string;
  readonly status: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly cost: { readonly held_usd: string; readonly charged_usd: string | null };
  readonly error: { readonly code: string } | null;
  readonly response: { readonly status: number; readonly bytes: number } | null;
  readonly cancel_requested: boolean;
  readonly status_url: string;
  readonly events_url: string;
  readonly result_url: string;
  readonly stream_url: string;
  readonly cancel_url: string;
}

export interface Sent {
  readonly path?: string;
  readonly body: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends requests of one customer, and follows them. */
export class KeptRequests {
  constructor(
    private readonly stack: TestStack,
    readonly customer: Customer,
  ) {}

  send({ path, body, headers = {} }: Sent, baseUrl = this.stack.baseUrl): Promise<FullResponse> {
    return fullResponse(baseUrl, { ...(path !== undefined && { path }), key: this.customer.apiKey, body, headers });
  }

  /** Sends a request whose response is taken later. */
  async begin(sent: Sent): Promise<KeptRecord> {
    const accepted = await this.send({ ...sent, headers: { ...LATER, ...sent.headers } });
    expect({ status: accepted.status, text: accepted.text }).toMatchObject({ status: 202 });
    return accepted.json();
  }

  get(path: string, { baseUrl = this.stack.baseUrl, key = this.customer.apiKey } = {}): Promise<FullResponse> {
    return fullResponse(baseUrl, { method: 'GET', path, key });
  }

  cancel({ cancel_url: path }: KeptRecord, key = this.customer.apiKey): Promise<FullResponse> {
    return fullResponse(this.stack.baseUrl, { method: 'POST', path, key });
  }

  /** The record once it has this status. */
  until({ status_url }: KeptRecord, status: string, { withinMs = 60_000, baseUrl = this.stack.baseUrl } = {}) {
    return eventually(
      async () => {
        const record = (await this.get(status_url, { baseUrl })).json<KeptRecord>();
        expect(record).toMatchObject({ status });
        return record;
      },
      { withinMs, intervalMs: 100 },
    );
  }
}
