const MAX_COUNT = 100_000_000;
const count = <Key extends string>(key: Key, max = MAX_COUNT) => ({ kind: 'count', key, max }) as const;
const flag = <Key extends string>(key: Key) => ({ kind: 'flag', key, max: 1 }) as const;
const name = <Key extends string>(key: Key) => ({ kind: 'name', key, max: 0 }) as const;

/** What goes wrong, by the word in a prompt. `times` limits how often. */
const FAULTS = {
  status: count('status'),
  retry_after: count('retryAfterSeconds'),
  delay_ms: count('delayMs'),
  cut_after: count('cutAfter'),
  hang_after: count('hangAfter'),
  error_after: count('errorAfter'),
  hang: flag('hangs'),
  garbage: flag('isGarbage'),
  failed_images: count('failedImages'),
  blocked: flag('isBlocked'),
  content_filter: flag('isFiltered'),
  failed: name('failureCode'),
  no_usage: flag('hidesUsage'),
  accept_then_drop: flag('acceptsThenDrops'),
  accept_then_hang: flag('acceptsThenHangs'),
  accept_then_status: count('acceptsThenStatus'),
  task_fail: name('taskFailure'),
  task_hang: flag('taskHangs'),
  task_times_out: flag('taskTimesOut'),
  task_vanish: flag('taskVanishes'),
  task_forget: flag('taskIsForgotten'),
  task_lies: flag('taskLies'),
  task_word: name('runningWord'),
  fail_on_top: flag('failsOnTop'),
  task_no_video: flag('hidesVideo'),
  task_unlisted: flag('taskIsUnlisted'),
  cancel_ignored: flag('ignoresCancel'),
  cancel_refused: flag('refusesCancel'),
  poll_times: count('pollTimes'),
  poll_status: count('pollStatus'),
  poll_retry_after: count('pollRetryAfterSeconds'),
  poll_delay_ms: count('pollDelayMs'),
  poll_hang: flag('pollHangs'),
  poll_drop: flag('pollDrops'),
  poll_garbage: flag('pollIsGarbage'),
  poll_empty: flag('pollIsEmpty'),
} as const;

/** What a normal response contains, by the word in a prompt. */
const SHAPES = {
  task_seconds: count('taskSeconds'),
  queue_seconds: count('queueSeconds'),
  task_duration: count('taskDuration', 600),
  input_seconds: count('inputSeconds'),
  times: count('times'),
  tag: name('tag'),
  chunks: count('chunks'),
  chunk_ms: count('chunkMs'),
  chunk_bytes: count('chunkBytes'),
  words: count('words'),
  script: name('script'),
  picture_bytes: count('imageBytes', 32 * 1024 * 1024),
  prompt_tokens: count('promptTokens'),
  completion_tokens: count('completionTokens'),
  reasoning_tokens: count('reasoningTokens'),
  cached_tokens: count('cachedTokens'),
  tool: name('tool'),
  tools: count('tools', 1_000),
  searches: count('searches', 1_000),
  pages: count('pages', 1_000),
  iterations: name('iterations'),
  service_tier: name('serviceTier'),
  speed: name('speed'),
  inference_geo: name('inferenceGeo'),
} as const;

const DIRECTIVES = { ...FAULTS, ...SHAPES };
type Row = (typeof DIRECTIVES)[keyof typeof DIRECTIVES];
type Key = Row['key'];
type Values = { readonly count: number; readonly flag: boolean; readonly name: string };

/** What a prompt sets with `{{sim key=value …}}`. Absent means not set: 0 and '' are values. */
export type Directives = { readonly [Each in Row as Each['key']]?: Values[Each['kind']] };
const NO_DIRECTIVES: Directives = Object.freeze({});
const DIRECTIVE = /\{\{sim\b([^}]*)\}\}/g;
/** A misspelt directive is an error: its test would pass for the wrong reason. */
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

/** A later directive overrides an earlier one. */
export const readDirectives = (texts: readonly string[]): Directives => {
  if (texts.length === 0) return NO_DIRECTIVES;
  const found: Partial<Record<Key, number | boolean | string>> = {};
  for (const text of texts) {
    for (const [, inner = ''] of text.matchAll(DIRECTIVE)) {
      for (const setting of inner.trim().split(/\s+/).filter(Boolean)) {
        const [word = '', value = ''] = setting.split('=', 2);
        const row = Object.hasOwn(DIRECTIVES, word) ? DIRECTIVES[word as keyof typeof DIRECTIVES] : undefined;
        if (row === undefined) throw new UnknownDirective(`simulator: unknown directive '${word}'`);
        found[row.key] = readValue(word, row, value);
      }
    }
  }
  return found as Directives;
};

const LIMITED_IMAGE_BYTES = 1024 * 1024;
const atMost = (value: number | undefined, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(value, max);

/** For a simulator that strangers reach: tasks end within the limit, and images stay small. */
export const limitDirectives = (directives: Directives, maxWaitMs: number): Directives => {
  if (maxWaitMs === Number.POSITIVE_INFINITY) return directives;
  const { taskSeconds, queueSeconds, imageBytes, taskHangs, ...rest } = directives;
  const seconds = atMost(taskHangs === true ? Number.POSITIVE_INFINITY : taskSeconds, maxWaitMs / 1_000);
  const queue = atMost(queueSeconds, maxWaitMs / 1_000);
  const bytes = atMost(imageBytes, LIMITED_IMAGE_BYTES);
  return {
    ...rest,
    ...(seconds !== undefined && { taskSeconds: seconds }),
    ...(queue !== undefined && { queueSeconds: queue }),
    ...(bytes !== undefined && { imageBytes: bytes }),
    ...(taskHangs === true && { taskTimesOut: true }),
  };
};

/** What is left after `times` calls. */
export const withoutFaults = (directives: Directives): Directives => {
  const rest: Partial<Record<Key, unknown>> = { ...directives };
  for (const { key } of Object.values(FAULTS)) delete rest[key];
  return rest as Directives;
};

export const stripDirectives = (text: string): string =>
  text.includes('{{sim') ? text.replace(DIRECTIVE, '').trim() : text;
