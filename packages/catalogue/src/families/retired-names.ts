/** Names that no model serves any more. A request gets a 400 that names the nearest model. */
export interface RetiredName {
  /** The public id, then the vendor's names. */
  readonly names: readonly string[];
  /** ISO date. */
  readonly on: string;
  /** Public id of the model that does most of what the retired one did. */
  readonly nearest: string;
}

/** Move a model here once it has ended without a successor. Dates: each vendor's page of deprecations. */
export const RETIRED_NAMES: readonly RetiredName[] = [
  {
    names: [
      'seedance-1.0-lite-t2v',
      'seedance-1-0-lite-t2v-250428',
      'doubao-seedance-1-0-lite-t2v-250428',
      'seedance-1-0-lite-t2v',
    ],
    on: '2026-05-13',
    nearest: 'seedance-1.0-pro-fast',
  },
  {
    names: [
      'seedance-1.0-lite-i2v',
      'seedance-1-0-lite-i2v-250428',
      'doubao-seedance-1-0-lite-i2v-250428',
      'seedance-1-0-lite-i2v',
    ],
    on: '2026-05-13',
    nearest: 'seedance-1.0-pro-fast',
  },
  { names: ['de-3', 'dall-e-3'], on: '2026-05-12', nearest: 'gp-image-2' },
  { names: ['gpt-4.1-nano'], on: '2026-10-23', nearest: 'gp-5.4-mini' },
  { names: ['gemini-embedding-exp-03-07', 'embedding-001'], on: '2025-10-30', nearest: 'gm-embedding-001' },
];
