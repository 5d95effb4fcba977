export interface OpenAiModel {
  readonly id: string;
  /** The dated name in responses. */
  readonly snapshot: string;
  readonly created: number;
  readonly shutdownDate: string | null;
  /** False: `/v1/responses` only. */
  readonly isOnChat: boolean;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly reasoning: { readonly efforts: readonly string[]; readonly fallback: string } | null;
}

type Row = Partial<OpenAiModel> & Pick<OpenAiModel, 'id' | 'created'>;

const row = (row: Row): OpenAiModel => ({
  snapshot: row.id,
  shutdownDate: null,
  isOnChat: true,
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  reasoning: null,
  ...row,
});

const FIRST_GENERATION = { efforts: ['minimal', 'low', 'medium', 'high'], fallback: 'medium' };
const O_SERIES = { efforts: ['low', 'medium', 'high'], fallback: 'medium' };
const SECOND_GENERATION = { efforts: ['none', 'low', 'medium', 'high', 'xhigh'], fallback: 'none' };
const PRO_5 = { efforts: ['high'], fallback: 'high' };
const PRO_5_4 = { efforts: ['medium', 'high', 'xhigh'], fallback: 'medium' };
const NEWEST = { efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], fallback: 'medium' };

const MODELS: readonly OpenAiModel[] = [
  row({
    id: 'gpt-4o',
    snapshot: 'gpt-4o-2024-08-06',
    created: 1_715_367_049,
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
  }),
  row({
    id: 'gpt-4o-mini',
    snapshot: 'gpt-4o-mini-2024-07-18',
    created: 1_721_172_741,
    contextTokens: 128_000,
    maxOutputTokens: 16_384,
  }),
  row({
    id: 'gpt-4.1',
    snapshot: 'gpt-4.1-2025-04-14',
    created: 1_744_316_542,
    contextTokens: 1_047_576,
    maxOutputTokens: 32_768,
  }),
  row({
    id: 'gpt-4.1-mini',
    snapshot: 'gpt-4.1-mini-2025-04-14',
    created: 1_744_318_173,
    contextTokens: 1_047_576,
    maxOutputTokens: 32_768,
  }),
  row({
    id: 'o3',
    snapshot: 'o3-2025-04-16',
    created: 1_744_225_308,
    contextTokens: 200_000,
    maxOutputTokens: 100_000,
    reasoning: O_SERIES,
  }),
  row({
    id: 'o4-mini',
    snapshot: 'o4-mini-2025-04-16',
    created: 1_744_225_351,
    contextTokens: 200_000,
    maxOutputTokens: 100_000,
    reasoning: O_SERIES,
  }),
  row({ id: 'gpt-5', snapshot: 'gpt-5-2025-08-07', created: 1_754_425_777, reasoning: FIRST_GENERATION }),
  row({ id: 'gpt-5-mini', snapshot: 'gpt-5-mini-2025-08-07', created: 1_754_425_928, reasoning: FIRST_GENERATION }),
  row({ id: 'gpt-5-nano', snapshot: 'gpt-5-nano-2025-08-07', created: 1_754_425_867, reasoning: FIRST_GENERATION }),
  row({
    id: 'gpt-5.4',
    snapshot: 'gpt-5.4-2026-03-05',
    created: 1_772_668_800,
    contextTokens: 1_050_000,
    reasoning: SECOND_GENERATION,
  }),
  row({
    id: 'gpt-5.4-mini',
    snapshot: 'gpt-5.4-mini-2026-03-05',
    created: 1_772_668_800,
    reasoning: SECOND_GENERATION,
  }),
  row({ id: 'gpt-5.6-sol', created: 1_788_220_800, contextTokens: 1_050_000, reasoning: NEWEST }),
  row({
    id: 'gpt-5-pro',
    snapshot: 'gpt-5-pro-2025-10-06',
    created: 1_759_469_822,
    shutdownDate: '2026-12-11',
    isOnChat: false,
    maxOutputTokens: 272_000,
    reasoning: PRO_5,
  }),
  row({
    id: 'gpt-5.4-pro',
    snapshot: 'gpt-5.4-pro-2026-03-05',
    created: 1_772_668_800,
    isOnChat: false,
    contextTokens: 1_050_000,
    reasoning: PRO_5_4,
  }),
];

const BY_NAME = new Map(
  MODELS.flatMap((model) => [
    [model.id, model],
    [model.snapshot, model],
  ]),
);

export const findModel = (name: string): OpenAiModel | undefined => BY_NAME.get(name);

export const modelList = (): string =>
  JSON.stringify({
    object: 'list',
    data: [...BY_NAME].map(([id, model]) => ({
      id,
      object: 'model',
      created: model.created,
      owned_by: 'system',
      shutdown_date: model.shutdownDate,
    })),
  });
