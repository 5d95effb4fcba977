import type { ChatModelTraits, ChatProtocolId, Endpoint, PriceVersion, Vendor } from '@gateway/contracts';

/** A price that holds from a day on (00:00 UTC), until the model's next one. */
export interface DatedPrice extends Omit<PriceVersion, 'version'> {
  /** ISO date, such as `2026-11-01`. */
  readonly from: string;
}

/** How a chat model is asked. `reasoning` models take the interface's reasoning variant of the request. */
export interface ChatSide {
  readonly protocol: ChatProtocolId;
  readonly variant: 'standard' | 'reasoning';
  readonly traits: ChatModelTraits;
}

/** One model that customers can name. The public id never changes; what the upstream calls it is data. */
export interface CatalogueModel {
  readonly id: string;
  readonly family: string;
  readonly vendor: Vendor;
  readonly upstreamModel: string;
  /** The vendor's own names, accepted in requests in place of the public id. */
  readonly aliases: readonly string[];
  readonly ownedBy: string;
  readonly released: string;
  readonly endpoints: readonly Endpoint[];
  readonly limits: { readonly contextTokens: number; readonly maxOutputTokens: number };
  /** Oldest first. */
  readonly prices: readonly DatedPrice[];
  readonly chat: ChatSide;
}
