import type { RequestId } from '@gateway/contracts';
import type { Gateway, GatewayRequest, GatewayResponse, McpRequest } from '../gateway.js';
import type { PaidTool, ToolContext } from '../tool.js';

export const MCP_REQUEST: McpRequest = {
  requestId: 'req_abcdefghijklmnopqrstuvwxyz' as RequestId,
  caller: {
    apiKey: 'sk-test',
    keySha256: 'hash',
    accountId: 'acct_a',
    maySpend: true,
    address: '127.0.0.1',
    models: [],
  },
  traceparent: undefined,
};

/** In-memory gateway client: records requests and runs `respond` for each. */
export class FakeClient implements Gateway {
  readonly requests: GatewayRequest[] = [];

  constructor(private readonly respond: (request: GatewayRequest) => GatewayResponse | Promise<GatewayResponse>) {}

  async request(request: GatewayRequest): Promise<GatewayResponse> {
    this.requests.push(request);
    return this.respond(request);
  }
}

/** Response with a JSON body, or with the chunks of an event stream. */
export function responseOf(body: object | readonly string[], status = 200): GatewayResponse {
  const chunks = Array.isArray(body) ? (body as readonly string[]).map((chunk) => Buffer.from(chunk)) : [];
  return {
    status,
    contentType: 'application/json',
    facts: { request_id: 'req_gateway' },
    body: (async function* () {
      yield* chunks;
    })(),
    bytes: async () => Buffer.from(JSON.stringify(body)),
    json: async <Body>() => body as Body,
  };
}

export const rejecting = (error: Error): FakeClient => new FakeClient(() => Promise.reject(error));

/** Paid tool that sends its body to `/v1/paid`. */
export const PAID_TOOL = {
  kind: 'paid',
  name: 'paid',
  endpoint: 'chat.completions',
  bodyOf: (args) => args,
  run: async (body, { gateway }) => {
    const response = await gateway.request({ method: 'POST', path: '/v1/paid', json: body });
    return { content: [], structured: { gateway: response.facts } };
  },
} as Partial<PaidTool> as PaidTool;

export const toolContextOf = (clients: Partial<Pick<ToolContext, 'gateway' | 'account' | 'progress'>>): ToolContext => {
  const unused = rejecting(new Error('unexpected request'));
  return {
    gateway: unused,
    account: unused,
    caller: MCP_REQUEST.caller,
    signal: new AbortController().signal,
    progress: undefined,
    ...clients,
  };
};
