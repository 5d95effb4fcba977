/** One part of a recording, in seconds. */
interface Segment {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly seek: number;
  readonly tokens: readonly number[];
  readonly temperature: number;
  readonly avg_logprob: number;
  readonly compression_ratio: number;
  readonly no_speech_prob: number;
}

/**
 * Measures that chat models do not have. Typed clients require numbers. Programs that drop doubtful segments keep a segment
 * with these.
 */
const UNMEASURED = {
  ...{ seek: 0, tokens: [], temperature: 0 },
  ...{ avg_logprob: 0, compression_ratio: 1, no_speech_prob: 0 },
} as const;

/** A text of JSON, also one that was cut, or a brace outside of one. Each character is read once. */
const TEXT_OR_BRACE = /"(?:[^"\\]|\\.?)*(?:"|$)|[{}]/gs;
const CLOCK = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/;

/** The objects without objects in them. An answer that was cut has whole ones up to its end. */
function* flatObjects(text: string): Generator<string> {
  let start: number | undefined;
  for (const { 0: found, index } of text.matchAll(TEXT_OR_BRACE)) {
    if (found === '{') start = index;
    if (found !== '}' || start === undefined) continue;
    yield text.slice(start, index + 1);
    start = undefined;
  }
}

function secondsOf(value: unknown): number | undefined {
  const [, hours = '0', minutes, seconds] = CLOCK.exec(String(value).trim()) ?? [];
  return minutes === undefined ? undefined : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

function parseObject(text: string): { readonly start?: unknown; readonly end?: unknown; readonly text?: unknown } {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}

/**
 * The transcript and its segments in a model's JSON. Times only grow and end with the recording: a model may be wrong. An
 * answer without JSON is the transcript, without segments.
 */
export function readSegments(answer: string, duration: number): { text: string; segments: readonly Segment[] } {
  const segments: Segment[] = [];
  let last = 0;
  for (const found of flatObjects(answer)) {
    const { start, end, text } = parseObject(found);
    if (typeof text !== 'string') continue;
    const within = (seconds: number | undefined) => Math.min(Math.max(seconds ?? last, last), duration);
    const from = within(secondsOf(start));
    last = from;
    last = within(secondsOf(end));
    segments.push({ id: segments.length, start: from, end: last, text, ...UNMEASURED });
  }
  if (segments.length === 0) return { text: answer.trimStart().startsWith('{') ? '' : answer, segments };
  return { text: segments.map(({ text }) => text.trim()).join(' '), segments };
}
