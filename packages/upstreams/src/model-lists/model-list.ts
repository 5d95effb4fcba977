import type { ClassifiedFailure, Target, UpstreamFailure, WireRequest } from '../protocol.js';

/** Destination of a list request. It names no model. */
export type ListTarget = Pick<Target, 'baseUrl' | 'credential'>;

/** One page of a vendor's list of models. */
export interface ModelListPage {
  readonly models: readonly ListedModel[];
  /** Cursor of the next page. Undefined: this page is the last one. */
  readonly next: string | undefined;
}

export interface ListedModel {
  /** The upstream's name for the model, without a path prefix. */
  readonly id: string;
  /** Unix seconds or an ISO date as the vendor gives it, such as OpenAI's `shutdown_date`. */
  readonly shutdownDate: string | undefined;
  /** The vendor keeps it in the list, and no longer serves it: Ark's `status: Shutdown`. */
  readonly isShutDown: boolean;
}

/** A vendor's list of models: a free request that every valid credential may make. */
export interface ModelList {
  /** True if the vendor lists every model that it serves, so that a missing one is gone. */
  readonly isComplete: boolean;
  buildList(target: ListTarget, cursor?: string): WireRequest;
  /** Throws a GatewayError (`upstream_error`) if the body does not match the protocol. */
  readList(body: Uint8Array): ModelListPage;
  readFailure(failure: UpstreamFailure): ClassifiedFailure;
}
