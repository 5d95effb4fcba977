/** What a prompt asks of the simulator with `{{sim key=value …}}`. Zero is a value: absent means not asked. */
export interface Directives {
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly times?: number;
  readonly delayMs?: number;
  readonly cutAfter?: number;
  readonly hangAfter?: number;
  readonly errorAfter?: number;
  readonly hangs?: boolean;
  readonly isGarbage?: boolean;
  readonly hidesUsage?: boolean;
  readonly chunks?: number;
  readonly chunkMs?: number;
  readonly chunkBytes?: number;
  readonly words?: number;
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedTokens?: number;
  readonly tool?: string;
  readonly tools?: number;
  readonly searches?: number;
  readonly failedImages?: number;
  /** What a picture has at the least, as large as those of the real models. */
  readonly imageBytes?: number;
  readonly isBlocked?: boolean;
  readonly acceptsThenDrops?: boolean;
  readonly acceptsThenHangs?: boolean;
  readonly acceptsThenStatus?: number;
  readonly taskSeconds?: number;
  readonly queueSeconds?: number;
  readonly taskDuration?: number;
  readonly inputSeconds?: number;
  /** The code with which it fails; '' is the vendor's own internal error. */
  readonly taskFailure?: string;
  readonly taskHangs?: boolean;
  readonly taskTimesOut?: boolean;
  readonly taskVanishes?: boolean;
  readonly taskIsForgotten?: boolean;
  readonly taskLies?: boolean;
  /** What its vendor calls it while it runs. */
  readonly runningWord?: string;
  readonly failsOnTop?: boolean;
  readonly hidesVideo?: boolean;
  readonly refusesCancel?: boolean;
  readonly ignoresCancel?: boolean;
  readonly taskIsUnlisted?: boolean;
  readonly pollTimes?: number;
  readonly pollStatus?: number;
  readonly pollRetryAfterSeconds?: number;
  readonly pollDelayMs?: number;
  readonly pollHangs?: boolean;
  readonly pollDrops?: boolean;
  readonly pollIsGarbage?: boolean;
  readonly pollIsEmpty?: boolean;
}

type Key = keyof Directives;
type Kind = 'count' | 'flag' | 'name';

interface Row {
  readonly key: Key;
  readonly kind: Kind;
  readonly isFault: boolean;
  /** Of a count, where more would be too much work for the simulator. */
  readonly max?: number;
}

/** Every directive: its word in a prompt, what it sets, and whether it is a fault, which `times` can wear out. */
const DIRECTIVES: Readonly<Record<string, Row>> = {
  status: { key: 'status', kind: 'count', isFault: true },
  retry_after: { key: 'retryAfterSeconds', kind: 'count', isFault: true },
  delay_ms: { key: 'delayMs', kind: 'count', isFault: true },
  cut_after: { key: 'cutAfter', kind: 'count', isFault: true },
  hang_after: { key: 'hangAfter', kind: 'count', isFault: true },
  error_after: { key: 'errorAfter', kind: 'count', isFault: true },
  hang: { key: 'hangs', kind: 'flag', isFault: true },
  garbage: { key: 'isGarbage', kind: 'flag', isFault: true },
  failed_images: { key: 'failedImages', kind: 'count', isFault: true },
  blocked: { key: 'isBlocked', kind: 'flag', isFault: true },
  no_usage: { key: 'hidesUsage', kind: 'flag', isFault: true },
  accept_then_drop: { key: 'acceptsThenDrops', kind: 'flag', isFault: true },
  accept_then_hang: { key: 'acceptsThenHangs', kind: 'flag', isFault: true },
  accept_then_status: { key: 'acceptsThenStatus', kind: 'count', isFault: true },
  task_fail: { key: 'taskFailure', kind: 'name', isFault: true },
  task_hang: { key: 'taskHangs', kind: 'flag', isFault: true },
  task_times_out: { key: 'taskTimesOut', kind: 'flag', isFault: true },
  task_vanish: { key: 'taskVanishes', kind: 'flag', isFault: true },
  task_forget: { key: 'taskIsForgotten', kind: 'flag', isFault: true },
  task_lies: { key: 'taskLies', kind: 'flag', isFault: true },
  task_word: { key: 'runningWord', kind: 'name', isFault: true },
  fail_on_top: { key: 'failsOnTop', kind: 'flag', isFault: true },
  task_no_video: { key: 'hidesVideo', kind: 'flag', isFault: true },
  task_unlisted: { key: 'taskIsUnlisted', kind: 'flag', isFault: true },
  cancel_ignored: { key: 'ignoresCancel', kind: 'flag', isFault: true },
  cancel_refused: { key: 'refusesCancel', kind: 'flag', isFault: true },
  poll_times: { key: 'pollTimes', kind: 'count', isFault: true },
  poll_status: { key: 'pollStatus', kind: 'count', isFault: true },
  poll_retry_after: { key: 'pollRetryAfterSeconds', kind: 'count', isFault: true },
  poll_delay_ms: { key: 'pollDelayMs', kind: 'count', isFault: true },
  poll_hang: { key: 'pollHangs', kind: 'flag', isFault: true },
  poll_drop: { key: 'pollDrops', kind: 'flag', isFault: true },
  poll_garbage: { key: 'pollIsGarbage', kind: 'flag', isFault: true },
  poll_empty: { key: 'pollIsEmpty', kind: 'flag', isFault: true },
  task_seconds: { key: 'taskSeconds', kind: 'count', isFault: false },
  queue_seconds: { key: 'queueSeconds', kind: 'count', isFault: false },
  task_duration: { key: 'taskDuration', kind: 'count', isFault: false, max: 600 },
  input_seconds: { key: 'inputSeconds', kind: 'count', isFault: false },
  times: { key: 'times', kind: 'count', isFault: false },
  chunks: { key: 'chunks', kind: 'count', isFault: false },
  chunk_ms: { key: 'chunkMs', kind: 'count', isFault: false },
  chunk_bytes: { key: 'chunkBytes', kind: 'count', isFault: false },
  words: { key: 'words', kind: 'count', isFault: false },
  picture_bytes: { key: 'imageBytes', kind: 'count', isFault: false, max: 32 * 1024 * 1024 },
  prompt_tokens: { key: 'promptTokens', kind: 'count', isFault: false },
  completion_tokens: { key: 'completionTokens', kind: 'count', isFault: false },
  reasoning_tokens: { key: 'reasoningTokens', kind: 'count', isFault: false },
  cached_tokens: { key: 'cachedTokens', kind: 'count', isFault: false },
  tool: { key: 'tool', kind: 'name', isFault: false },
  tools: { key: 'tools', kind: 'count', isFault: false },
  searches: { key: 'searches', kind: 'count', isFault: false },
};

const NO_DIRECTIVES: Directives = Object.freeze({});

const DIRECTIVE = /\{\{sim\b([^}]*)\}\}/g;
const MAX_COUNT = 100_000_000;

/** A directive that is misspelt: it is refused, since a test that asks for nothing would pass for the wrong reason. */
export class UnknownDirective extends Error {}

const readCount = (word: string, value: string, max: number): number => {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 0 || count > max || value === '') {
    throw new UnknownDirective(`simulator: directive '${word}' needs a whole number up to ${max}, got '${value}'`);
  }
  return count;
};

const readValue = (word: string, { kind, max = MAX_COUNT }: Row, value: string): number | boolean | string => {
  switch (kind) {
    case 'count':
      return readCount(word, value, max);
    case 'flag':
      return value === '' || value === '1' || value === 'true';
    case 'name':
      return value;
  }
};

/** Reads the directives of all texts; a later one wins over an earlier one. */
export const readDirectives = (texts: readonly string[]): Directives => {
  if (texts.length === 0) return NO_DIRECTIVES;
  const found: Partial<Record<Key, number | boolean | string>> = {};
  for (const text of texts) {
    for (const [, inner = ''] of text.matchAll(DIRECTIVE)) {
      for (const setting of inner.trim().split(/\s+/).filter(Boolean)) {
        const [word = '', value = ''] = setting.split('=', 2);
        const row = Object.hasOwn(DIRECTIVES, word) ? DIRECTIVES[word] : undefined;
        if (row === undefined) throw new UnknownDirective(`simulator: unknown directive '${word}'`);
        found[row.key] = readValue(word, row, value);
      }
    }
  }
  return found as Directives;
};

const FAULT_KEYS = Object.values(DIRECTIVES)
  .filter((row) => row.isFault)
  .map((row) => row.key);

/** The same answer without its faults: what is left once `times` has worn them out. */
export const withoutFaults = (directives: Directives): Directives => {
  const rest: Partial<Record<Key, unknown>> = { ...directives };
  for (const key of FAULT_KEYS) {
    delete rest[key];
  }
  return rest as Directives;
};

export const stripDirectives = (text: string): string =>
  text.includes('{{sim') ? text.replace(DIRECTIVE, '').trim() : text;
