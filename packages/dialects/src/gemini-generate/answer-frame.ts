import {
  type AnswerFrame,
  type Citation,
  type NeutralFinish,
  parseExactObject,
  type TokenCounts,
} from '@gateway/contracts';

const FINISH_REASONS = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  // Calls have no reason of their own in this format.
  'tool-calls': 'STOP',
  filtered: 'SAFETY',
} as const satisfies Record<NeutralFinish, string>;

export const finishReasonOf = (finish: NeutralFinish): string => FINISH_REASONS[finish];

/** `candidatesTokenCount` excludes thoughts, unlike the neutral count. */
export function usageMetadataOf(counts: TokenCounts): object {
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = counts;
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: completionTokens - reasoningTokens,
    totalTokenCount: promptTokens + completionTokens,
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  };
}

export const identityOf = (
  id: string | undefined,
  { publicModel, requestId }: Pick<AnswerFrame, 'publicModel' | 'requestId'>,
): object => ({ modelVersion: publicModel, responseId: id ?? requestId });

const citationSourceOf = ({ url, title, start, end }: Citation): object => ({
  ...(start !== undefined && { startIndex: start }),
  ...(end !== undefined && { endIndex: end }),
  ...(url !== undefined && { uri: url }),
  ...(title !== undefined && { title }),
});

export const citationMetadataOf = (citations: readonly Citation[]): object =>
  citations.length === 0 ? {} : { citationMetadata: { citationSources: citations.map(citationSourceOf) } };

/** The arguments of a call. The format allows only an object, so that other text becomes an empty one. */
export const argsOf = (input: string): object => parseExactObject(input) ?? {};
