import type { VendorCalendar } from '../vendor-calendar.js';
import { IMAGE_MODELS } from './read-image-request.js';

export interface OpenAiModel {
  readonly id: string;
  /** The dated name in responses. */
  readonly snapshot: string;
  readonly created: number;
  /** False: `/v1/responses` only. */
  readonly isOnChat: boolean;
  /** Function tools work on chat with the effort `none` only. */
  readonly chatToolsNeedNoEffort: boolean;
  readonly contextTokens: number;
  /** The most input of a model that keeps room for its output; Infinity: the context alone limits it. */
  readonly inputTokens: number;
  readonly maxOutputTokens: number;
  readonly reasoning: { readonly efforts: readonly string[]; readonly defaultEffort: string } | null;
}

type Traits = Partial<Omit<OpenAiModel, 'id' | 'created'>>;

/** `date`: of the snapshot; '' for a model without one. */
const row = (id: string, date: string, created: number, traits: Traits = {}): OpenAiModel => ({
  id,
  snapshot: date === '' ? id : `${id}-${date}`,
  created,
  isOnChat: true,
  chatToolsNeedNoEffort: false,
  inputTokens: Number.POSITIVE_INFINITY,
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  reasoning: null,
  ...traits,
});

const reasoning = (defaultEffort: string, efforts: string) => ({
  reasoning: { defaultEffort, efforts: efforts.split(' ') },
});

const GPT_4O = { contextTokens: 128_000, maxOutputTokens: 16_384 };
const GPT_4_1 = { contextTokens: 1_047_576, maxOutputTokens: 32_768 };
const O_SERIES = { contextTokens: 200_000, maxOutputTokens: 100_000, ...reasoning('medium', 'low medium high') };
const INPUT = { inputTokens: 272_000 };
const GPT_5 = { ...INPUT, ...reasoning('medium', 'minimal low medium high') };
const GPT_5_4 = { ...INPUT, chatToolsNeedNoEffort: true, ...reasoning('none', 'none low medium high xhigh') };
const GPT_5_6 = { chatToolsNeedNoEffort: true, ...reasoning('medium', 'none low medium high xhigh max') };
const LONG = { contextTokens: 1_050_000, inputTokens: 922_000 };
const GPT_5_PRO = { isOnChat: false, ...INPUT, maxOutputTokens: 272_000, ...reasoning('high', 'high') };
const GPT_5_4_PRO = { isOnChat: false, ...LONG, ...reasoning('medium', 'medium high xhigh') };

const MODELS: readonly OpenAiModel[] = [
  row('gpt-4o', '2024-08-06', 1_715_367_049, GPT_4O),
  row('gpt-4o-mini', '2024-07-18', 1_721_172_741, GPT_4O),
  row('gpt-4.1', '2025-04-14', 1_744_316_542, GPT_4_1),
  row('gpt-4.1-mini', '2025-04-14', 1_744_318_173, GPT_4_1),
  row('o3', '2025-04-16', 1_744_225_308, O_SERIES),
  row('o4-mini', '2025-04-16', 1_744_225_351, O_SERIES),
  row('gpt-5', '2025-08-07', 1_754_425_777, GPT_5),
  row('gpt-5-mini', '2025-08-07', 1_754_425_928, GPT_5),
  row('gpt-5-nano', '2025-08-07', 1_754_425_867, GPT_5),
  row('gpt-5.4', '2026-03-05', 1_772_668_800, { ...GPT_5_4, ...LONG }),
  row('gpt-5.4-mini', '2026-03-17', 1_773_705_600, GPT_5_4),
  row('gpt-5.6-sol', '', 1_788_220_800, { ...GPT_5_6, ...LONG }),
  row('gpt-5-pro', '2025-10-06', 1_759_469_822, GPT_5_PRO),
  row('gpt-5.4-pro', '2026-03-05', 1_772_668_800, GPT_5_4_PRO),
];

const BY_NAME = new Map(
  MODELS.flatMap((model) => [
    [model.id, model],
    [model.snapshot, model],
  ]),
);

export const findModel = (name: string): OpenAiModel | undefined => BY_NAME.get(name);

/** Created when the first image model was. */
const IMAGES_CREATED = 1_745_517_030;

const entries = (): readonly (readonly [name: string, id: string, created: number])[] => [
  ...[...BY_NAME].map(([name, { id, created }]) => [name, id, created] as const),
  ...IMAGE_MODELS.map(({ id }) => [id, id, IMAGES_CREATED] as const),
];

export const modelList = (calendar: VendorCalendar): string =>
  JSON.stringify({
    object: 'list',
    data: entries()
      .filter(([, id]) => !calendar.isRetired('openai', id))
      .map(([name, id, created]) => ({
        id: name,
        object: 'model',
        created,
        owned_by: 'system',
        shutdown_date: calendar.shutdownDay('openai', id),
      })),
  });
