/** What an interaction shows of a response of `generateContent`, or of one event of its stream. A reader has checked it. */
export interface Reply {
  readonly candidates?: readonly Candidate[] | null;
  readonly promptFeedback?: { readonly blockReason?: string | null } | null;
  readonly usageMetadata?: Metadata | null;
}

export interface Candidate {
  readonly index?: number;
  readonly content?: { readonly parts?: readonly ReplyPart[] | null } | null;
  readonly finishReason?: string | null;
  readonly citationMetadata?: { readonly citationSources?: readonly CitationSource[] };
  readonly groundingMetadata?: {
    readonly groundingChunks?: readonly { readonly web?: { readonly uri?: string; readonly title?: string } }[];
    readonly groundingSupports?: readonly {
      readonly segment?: { readonly startIndex?: number; readonly endIndex?: number };
      readonly groundingChunkIndices?: readonly number[];
    }[];
  };
  readonly urlContextMetadata?: {
    readonly urlMetadata?: readonly { readonly retrievedUrl?: string; readonly urlRetrievalStatus?: string }[];
  };
}

export interface CitationSource {
  readonly startIndex?: number;
  readonly endIndex?: number;
  readonly uri?: string;
  readonly title?: string;
}

export interface ReplyPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType?: string; readonly data?: string };
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: object };
  readonly executableCode?: { readonly id?: string; readonly code?: string; readonly language?: string };
  readonly codeExecutionResult?: { readonly outcome?: string; readonly output?: string };
}

interface ModalityCount {
  readonly modality?: string;
  readonly tokenCount?: number;
}

export interface Metadata {
  readonly promptTokenCount?: number;
  readonly candidatesTokenCount?: number;
  readonly thoughtsTokenCount?: number;
  readonly cachedContentTokenCount?: number;
  readonly toolUsePromptTokenCount?: number;
  readonly totalTokenCount?: number;
  readonly promptTokensDetails?: readonly ModalityCount[];
  readonly cacheTokensDetails?: readonly ModalityCount[];
  readonly candidatesTokensDetails?: readonly ModalityCount[];
  readonly toolUsePromptTokensDetails?: readonly ModalityCount[];
}

const byModality = (name: string, counts: readonly ModalityCount[] | undefined): object =>
  counts === undefined || counts.length === 0
    ? {}
    : {
        [name]: counts.map(({ modality = 'TEXT', tokenCount = 0 }) => ({
          modality: modality.toLowerCase(),
          tokens: tokenCount,
        })),
      };

/** The counts that are billed, in the form of interactions. */
export const usageOf = (metadata: Metadata) => ({
  total_tokens: metadata.totalTokenCount ?? 0,
  total_input_tokens: metadata.promptTokenCount ?? 0,
  ...byModality('input_tokens_by_modality', metadata.promptTokensDetails),
  total_cached_tokens: metadata.cachedContentTokenCount ?? 0,
  ...byModality('cached_tokens_by_modality', metadata.cacheTokensDetails),
  total_output_tokens: metadata.candidatesTokenCount ?? 0,
  ...byModality('output_tokens_by_modality', metadata.candidatesTokensDetails),
  total_tool_use_tokens: metadata.toolUsePromptTokenCount ?? 0,
  ...byModality('tool_use_tokens_by_modality', metadata.toolUsePromptTokensDetails),
  total_thought_tokens: metadata.thoughtsTokenCount ?? 0,
});
