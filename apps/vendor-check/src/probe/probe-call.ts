import type { CatalogueModel } from '@gateway/catalogue';
import type { UnitCounts, Usage } from '@gateway/contracts';
import type { ClassifiedFailure, Target, UpstreamFailure, WireRequest } from '@gateway/upstreams';

/** One paid call through a real adapter. */
export interface ProbeCall {
  /** Such as `chat, streamed`. */
  readonly name: string;
  readonly model: CatalogueModel;
  /** The most that it can use; its price is announced before the call. */
  readonly atMost: UnitCounts;
  build(target: Target): WireRequest;
  /** Throws a GatewayError if the body does not match the protocol. */
  read(body: Uint8Array): Usage;
  readFailure(failure: UpstreamFailure): ClassifiedFailure;
}

export const REQUEST_ID = 'req_probe';
export const PROMPT = 'Reply with the single word OK.';
