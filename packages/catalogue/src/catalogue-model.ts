import type {
  ChatModelTraits,
  ChatProtocolId,
  EmbeddingModelTraits,
  EmbeddingProtocolId,
  Endpoint,
  ErrorDialect,
  ImageEditModelTraits,
  ImageEditProtocolId,
  ImageProtocolId,
  ImageTraits,
  PriceVersion,
  RerankModelTraits,
  RerankProtocolId,
  SpeechModelTraits,
  SpeechProtocolId,
  Vendor,
  VideoModelTraits,
  VideoProtocolId,
} from '@gateway/contracts';

/** A price from a day on (00:00 UTC) until the model's next price. Decimal USD per million of each unit. */
export interface DatedPrice extends Omit<PriceVersion, 'version'> {
  /** ISO date, such as `2026-11-01`. Never edit a price in use: receipts name it. Add a new row. */
  readonly from: string;
}

/** Chat. `reasoning` models accept the interface's reasoning variant of the request. */
export interface ChatCapability {
  readonly protocol: ChatProtocolId;
  /** Serves requests with tools and a reasoning effort, where `protocol` refuses both together. */
  readonly toolReasoningProtocol?: ChatProtocolId;
  readonly variant: 'standard' | 'reasoning';
  readonly traits: ChatModelTraits;
}

/** Embeddings. */
export interface EmbeddingsCapability {
  readonly protocol: EmbeddingProtocolId;
  readonly traits: EmbeddingModelTraits;
}

/** Image generation: the type of the traits depends on the protocol. */
export type ImageCapability<Id extends ImageProtocolId = ImageProtocolId> = {
  readonly [Protocol in Id]: { readonly protocol: Protocol; readonly traits: ImageTraits<Protocol> };
}[Id];

/** Image edits by an upstream endpoint of their own. */
export interface FormImageEdits {
  readonly protocol: ImageEditProtocolId;
  readonly traits: ImageEditModelTraits;
}

/** Image edits by the model's images endpoint, which takes reference images. The model needs `imageGeneration`. */
export interface OwnImageEdits {
  readonly protocol: 'own-images';
  /** Reference images: how many at most, and the bytes of each. */
  readonly traits: { readonly images: { readonly most: number; readonly bytes: number } };
}

export type ImageEditCapability = FormImageEdits | OwnImageEdits;

/** Rerank: the relevance of documents to a query. */
export interface RerankCapability {
  readonly protocol: RerankProtocolId;
  readonly traits: RerankModelTraits;
}

/** Speech. */
export interface SpeechCapability {
  readonly protocol: SpeechProtocolId;
  readonly traits: SpeechModelTraits;
}

/** What the vendor bills for seconds of input videos. Customers are charged only where the operator switches it on. */
export interface InputSeconds {
  /** Oldest first. No day is one of the model's own prices, so that each price version names one set of units. */
  readonly prices: readonly DatedPrice[];
  /** The longest input video that the vendor accepts, in seconds. */
  readonly mostOfOne: number;
  /** The most seconds of all input videos together. */
  readonly most: number;
  /** The most seconds of input and generated video together. Absent: no limit. */
  readonly mostWithOutput?: number;
}

/** Video tasks. */
export interface VideoCapability {
  readonly protocol: VideoProtocolId;
  readonly traits: VideoModelTraits;
  /** Absent: the vendor bills no input seconds, or does not report them. */
  readonly inputSeconds?: InputSeconds;
  /** Set by `chargeInputSeconds` only: `prices` include the input seconds. */
  readonly chargesInputSeconds?: true;
}

/** The end of a model at its vendor. From that day on another model serves the public id, or the id is refused. */
export interface Retirement {
  /** ISO date: from 00:00 UTC of this day on the vendor no longer serves the model. */
  readonly on: string;
  /** Public id of the model that serves this id from that day on, at its own price, limits and traits. */
  readonly successor?: string;
  /** Capabilities that this id keeps under its successor, such as its length of vectors. */
  readonly keeps?: Partial<Pick<CatalogueModel, Capability>>;
  /** Public id that the refusal names, if no model serves this id. */
  readonly nearest?: string;
  /** Page that states the date, and the day on which it was read. */
  readonly source: string;
}

/**
 * One public model. Each capability names the upstream protocol and what that protocol needs to know (traits).
 * To add a model, add one to `families/<family>.ts` and regenerate `golden/catalogue.txt`.
 */
export interface CatalogueModel {
  /** The public id; never changes. */
  readonly id: string;
  readonly family: string;
  readonly vendor: Vendor;
  /** The upstream's name of the model; may change. */
  readonly upstreamModel: string;
  /** Other accepted names, such as the vendor's. */
  readonly aliases: readonly string[];
  readonly ownedBy: string;
  /** ISO date. */
  readonly released: string;
  /** Absent: the vendor has announced no end. */
  readonly retirement?: Retirement;
  /** Set by `modelAt` only: the public id of the model that serves this one since its retirement. */
  readonly servedBy?: string;
  readonly endpoints: readonly Endpoint[];
  readonly limits: { readonly contextTokens?: number; readonly maxOutputTokens?: number };
  /** Oldest first. Every unit that the protocol can report needs a price: a unit without one is rejected, never free. */
  readonly prices: readonly DatedPrice[];
  /**
   * What the vendor bills us, oldest first, for the same units as `prices`. Absent: `prices` are the vendor's list prices,
   * and a request costs us what it costs a customer at those.
   */
  readonly vendorCosts?: readonly DatedPrice[];
  /** The shape of its errors, if it differs from its endpoint's. */
  readonly dialect?: ErrorDialect;
  readonly chat?: ChatCapability;
  readonly embeddings?: EmbeddingsCapability;
  readonly imageGeneration?: ImageCapability;
  readonly imageEdits?: ImageEditCapability;
  readonly rerank?: RerankCapability;
  readonly speech?: SpeechCapability;
  readonly video?: VideoCapability;
}

/** The capabilities of a model; each serves one kind of endpoint. */
export type Capability = 'chat' | 'embeddings' | 'imageGeneration' | 'imageEdits' | 'rerank' | 'speech' | 'video';

/** A model that has this capability. */
export type ModelWithCapability<Name extends Capability> = CatalogueModel & Required<Pick<CatalogueModel, Name>>;
