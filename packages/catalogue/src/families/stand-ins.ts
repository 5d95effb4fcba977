/** Names that clients have built in, and that the catalogue does not sell. A model of the same class serves them. */
export interface StandIn {
  /** The vendor's names, retired ones and dated ones included. */
  readonly names: readonly string[];
  /** Public id of the model that serves them, under its own id and at its own price. */
  readonly model: string;
}

/**
 * Chat models only, which also transcribe: vectors of another model are not comparable, and media are billed by settings that differ.
 * Class comes before version. Where two models of a class are served, the one that takes the same requests serves.
 */
export const STAND_INS: readonly StandIn[] = [
  {
    names: ['opus', 'claude-opus-4-8', 'claude-opus-5', 'claude-opus-latest'],
    model: 'cl-opus-5-5',
  },
  {
    names: [
      'claude-opus-4-6',
      'claude-opus-4-5',
      'claude-opus-4-5-20251101',
      'claude-opus-4-1',
      'claude-opus-4-1-20250805',
      'claude-opus-4-0',
      'claude-opus-4-20250514',
      'claude-3-opus-latest',
      'claude-3-opus-20240229',
    ],
    model: 'cl-opus-4-7',
  },
  { names: ['sonnet', 'claude-sonnet-5', 'claude-sonnet-latest'], model: 'cl-sonnet-5-5' },
  {
    // These accept sampling parameters, as the newest model of the class does not.
    names: [
      'claude-sonnet-4-5',
      'claude-sonnet-4-5-20250929',
      'claude-sonnet-4-0',
      'claude-sonnet-4-20250514',
      'claude-3-7-sonnet-latest',
      'claude-3-7-sonnet-20250219',
      'claude-3-5-sonnet-latest',
      'claude-3-5-sonnet-20241022',
      'claude-3-5-sonnet-20240620',
      'claude-3-sonnet-20240229',
    ],
    model: 'cl-sonnet-4-6',
  },
  { names: ['haiku', 'claude-haiku-5', 'claude-haiku-latest'], model: 'cl-haiku-5-5' },
  {
    names: ['claude-3-5-haiku-latest', 'claude-3-5-haiku-20241022', 'claude-3-haiku-20240307'],
    model: 'cl-haiku-4-5',
  },
  {
    // Client libraries name these for transcriptions. A light model that takes audio serves them.
    names: [
      ...['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'],
      ...['gpt-4o-mini-transcribe-2025-03-20', 'gpt-4o-mini-transcribe-2025-12-15'],
    ],
    model: 'gm-3.5-flash-lite',
  },
  {
    names: [
      ...['gpt-5.2-pro', 'gpt-5.5-pro', 'gpt-6-pro', 'o1-pro', 'o3-pro'],
      ...['gpt-5.2-pro-2025-12-11', 'gpt-5.5-pro-2026-04-23', 'o1-pro-2025-03-19', 'o3-pro-2025-06-10'],
    ],
    model: 'gp-5.4-pro',
  },
  {
    names: [
      ...['gpt-5-mini', 'gpt-5.1-codex-mini', 'codex-mini-latest', 'gpt-4.1-mini', 'gpt-4o-mini', 'o3-mini', 'o4-mini'],
      ...['gpt-5.1-mini', 'o1-mini'],
      // No smaller model is in the catalogue.
      ...['gpt-5-nano', 'gpt-5.4-nano', 'gpt-5-nano-2025-08-07', 'gpt-5.4-nano-2026-03-17'],
      // The general models: the pro model costs many times as much, so it never serves a name that is not a pro.
      ...['gpt-5', 'gpt-5.1', 'gpt-5.2', 'gpt-5.3', 'gpt-5.4', 'gpt-5.5', 'gpt-5.6', 'gpt-5-chat-latest'],
      ...['gpt-5-codex', 'gpt-5.1-codex', 'gpt-5.1-codex-max', 'gpt-5.2-codex', 'gpt-5.3-codex', 'gpt-5.4-codex'],
      // What the vendor's own coding assistant offers, and starts with.
      ...['gpt-5.6-sol', 'gpt-5.6-terra', 'gpt-5.6-luna', 'gpt-6-sol', 'gpt-6-luna', 'gpt-6-astra'],
      ...['gpt-6.1-sol', 'gpt-6.1-terra', 'gpt-6.2-sol', 'gpt-6.2-astra'],
      ...['gpt-4.1', 'gpt-4o', 'chatgpt-4o-latest', 'gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'o1', 'o3', 'o1-preview'],
      // The vendor's guides and libraries name it for text completions.
      'gpt-3.5-turbo-instruct',
      ...['gpt-5.1-chat-latest', 'gpt-5.2-chat-latest', 'gpt-5.3-chat-latest', 'gpt-4-turbo-preview'],
      // Dated releases, which the vendor's own guides and libraries name.
      ...['gpt-5-mini-2025-08-07', 'gpt-4.1-mini-2025-04-14', 'gpt-4o-mini-2024-07-18'],
      ...['o3-mini-2025-01-31', 'o4-mini-2025-04-16'],
      ...['gpt-5-2025-08-07', 'gpt-5.1-2025-11-13', 'gpt-5.2-2025-12-11', 'gpt-5.4-2026-03-05', 'gpt-5.5-2026-04-23'],
      ...['gpt-4.1-2025-04-14', 'gpt-4o-2024-05-13', 'gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'],
      ...['gpt-4-0613', 'gpt-4-1106-preview', 'gpt-4-0125-preview', 'gpt-4-turbo-2024-04-09'],
      ...['gpt-3.5-turbo-1106', 'gpt-3.5-turbo-0125', 'gpt-3.5-turbo-16k', 'o1-2024-12-17', 'o3-2025-04-16'],
    ],
    model: 'gp-5.4-mini',
  },
  {
    names: [
      ...['gemini-pro-latest', 'gemini-3-pro-preview', 'gemini-3.1-pro-preview', 'gemini-1.5-pro'],
      ...['gemini-3.1-pro-preview-customtools', 'gemini-2.5-pro-preview-06-05'],
    ],
    model: 'gm-2.5-pro',
  },
  {
    names: ['gemini-2.5-flash-preview-09-2025'],
    model: 'gm-2.5-flash',
  },
  {
    names: [
      'gemini-flash-latest',
      'gemini-3-flash',
      'gemini-3-flash-preview',
      'gemini-3.5-flash',
      'gemini-3.6-flash',
      'gemini-3.7-flash',
    ],
    model: 'gm-3.8-flash',
  },
  {
    names: [
      ...['gemini-flash-lite-latest', 'gemini-3.1-flash-lite', 'gemini-3.1-flash-lite-preview'],
      ...['gemini-2.5-flash-lite', 'gemini-2.0-flash', 'gemini-2.0-flash-lite', 'gemini-1.5-flash'],
      ...['gemini-2.5-flash-lite-preview-09-2025', 'gemini-2.0-flash-001', 'gemini-2.0-flash-lite-001'],
    ],
    model: 'gm-3.5-flash-lite',
  },
];
