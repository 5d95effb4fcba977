import type { ImageProtocolId, ImageRequest, ImageTraits, OpenAiImageForm } from '@gateway/contracts';

/** A reference image of an edit. */
export interface ImageReference {
  /** Such as `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

/** An entry of `data`. */
export type OpenAiImage = { readonly url: string } | { readonly b64_json: string };

/** What is left of a form once `readForm` has refused and dropped what the family does not have. */
export type ReadForm = Pick<OpenAiImageForm, 'model' | 'prompt'> & {
  /** Undefined: the family's own default. */
  readonly size: ImageSize | undefined;
  readonly quality: string | undefined;
  readonly outputFormat: string | undefined;
  readonly responseFormat: 'url' | 'b64_json' | undefined;
  readonly count: number;
  readonly stream: boolean;
  /** Fields that the form does not have. The family's own check refuses those that it does not know either. */
  readonly others: Readonly<Record<string, unknown>>;
};

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** A form in the family's own body. */
export interface FamilyRequest<Id extends ImageProtocolId> {
  readonly request: ImageRequest<Id>;
  /** Values that differ from the client's, by the client's name of the field. */
  readonly sent?: Readonly<Record<string, string>>;
  /** The client's fields that are not sent. */
  readonly dropped?: readonly string[];
}

/** How one family takes OpenAI's body, and what its response is in OpenAI's form. */
export interface ImageBody<Id extends ImageProtocolId> {
  /** True for a body that is not the family's own. */
  isForm(body: Readonly<Record<string, unknown>>): boolean;
  /** Settings of the form that the family has. It refuses all other ones, except those that change nothing. */
  readonly supports: {
    readonly qualities: readonly string[];
    readonly outputFormats: readonly string[];
    readonly streams: boolean;
    /** True: one call makes `n` images. False: `n` images take as many calls. */
    readonly several: boolean;
  };
  /** Throws a GatewayError (400) for what this model cannot do. */
  toRequest(form: ReadForm, references: readonly ImageReference[], traits: ImageTraits<Id>): FamilyRequest<Id>;
  /** The images of a response in the family's own form. Empty if there are none. */
  imagesOf(response: unknown, form: ReadForm): readonly OpenAiImage[];
}
