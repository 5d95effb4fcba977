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
  SpeechModelTraits,
  SpeechProtocolId,
  Vendor,
  VideoModelTraits,
  VideoProtocolId,
} from '@gateway/contracts';

/** A price that holds from a day on (00:00 UTC), until the model's next one. */
export interface DatedPrice extends Omit<PriceVersion, 'version'> {
  /** ISO date, such as `2026-11-01`. */
  readonly from: string;
}

/** How a chat model is asked. `reasoning` models take the interface's reasoning variant of the request. */
export interface ChatCapability {
  readonly protocol: ChatProtocolId;
  readonly variant: 'standard' | 'reasoning';
  readonly traits: ChatModelTraits;
}

/** How a model is asked for vectors. */
export interface EmbeddingsCapability {
  readonly protocol: EmbeddingProtocolId;
  readonly traits: EmbeddingModelTraits;
}

/** How a model is asked to generate images. */
export type ImageCapability<Id extends ImageProtocolId = ImageProtocolId> = {
  readonly [Protocol in Id]: { readonly protocol: Protocol; readonly traits: ImageTraits<Protocol> };
}[Id];

/** How a model is asked to edit images. */
export interface ImageEditSide {
  readonly protocol: ImageEditProtocolId;
  readonly traits: ImageEditModelTraits;
}

/** How a model is asked to speak. */
export interface SpeechCapability {
  readonly protocol: SpeechProtocolId;
  readonly traits: SpeechModelTraits;
}

/** How a model is asked for videos. */
export interface VideoSide {
  readonly protocol: VideoProtocolId;
  readonly traits: VideoModelTraits;
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
  readonly limits: { readonly contextTokens?: number; readonly maxOutputTokens?: number };
  /** Oldest first. */
  readonly prices: readonly DatedPrice[];
  /** How its errors are spelled where its family differs from its endpoint. */
  readonly dialect?: ErrorDialect;
  readonly chat?: ChatCapability;
  readonly embeddings?: EmbeddingsCapability;
  readonly imageGeneration?: ImageCapability;
  readonly imageEdits?: ImageEditSide;
  readonly speech?: SpeechCapability;
  readonly video?: VideoSide;
}

/** The parts of a model that belong to one kind of endpoint. */
export type Capability = 'chat' | 'embeddings' | 'imageGeneration' | 'imageEdits' | 'speech' | 'video';

/** A model that has a side. */
export type ModelWithCapability<Name extends Capability> = CatalogueModel & Required<Pick<CatalogueModel, Name>>;
