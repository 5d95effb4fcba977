const TEXT_TOKENS = 60;
const STREAM_CHUNKS = 100;
const CHUNK_BYTES = 16;
const BYTES_PER_TOKEN = 4;
const SMALL_PROMPT_BYTES = 900;
/** 268,000 tokens: the model takes 272,000. */
const LARGE_PROMPT_BYTES = 1_000_000;
const MOST_TOKENS = 1_024;

const bodyOf = (model, promptBytes, directives, more = {}) =>
  JSON.stringify({
    model,
    messages: [{ role: 'user', content: `${'Say me more.  '.repeat(promptBytes / 14)}{{sim ${directives}}}` }],
    max_completion_tokens: MOST_TOKENS,
    ...more,
  });

const callers = (name, clients, promptBytes = SMALL_PROMPT_BYTES) => ({
  name,
  kind: 'closed-loop',
  load: { clients },
  expected: { textBytes: TEXT_TOKENS * BYTES_PER_TOKEN },
  bodyFor: (model) => bodyOf(model, promptBytes, `completion_tokens=${TEXT_TOKENS}`),
});

/** One chunk each 20 ms: a stream of 100 lasts two seconds. */
const openStreams = (streams, chunks = STREAM_CHUNKS) => ({
  name: `${streams} streams`,
  kind: 'streams',
  load: { streams, rampMs: 1_000 },
  expected: { textBytes: chunks * CHUNK_BYTES, textChunks: chunks },
  bodyFor: (model) =>
    bodyOf(model, SMALL_PROMPT_BYTES, `chunks=${chunks} chunk_ms=20`, {
      stream: true,
      stream_options: { include_usage: true },
    }),
});

export const MOST_STREAMS = 400;

export const scenarios = {
  manyStreams: openStreams(MOST_STREAMS),
  streams: openStreams(100),
  one: callers('1 client', 1),
  some: callers('32 clients', 32),
  many: callers('128 clients', 128),
  large: callers('1 MB body, 8 clients', 8, LARGE_PROMPT_BYTES),
};

/**
 * Warm-up, not measured: afterwards the code of every candidate is compiled and its heap has its working size. It suits
 * four processes: compiling takes a third of the gateway's first seconds, and a tenth of a single process's.
 */
const warmUpOf = (lengthMs) => [
  { scenario: scenarios.some, times: { durationMs: lengthMs / 2 } },
  { scenario: scenarios.many, times: { durationMs: lengthMs / 4 } },
  { scenario: openStreams(100, 20), times: { windowMs: lengthMs / 4 } },
];

/** One model for each other adapter of the gateway, measured once for information. */
export const ADAPTER_MODELS = {
  'anthropic-messages': 'cl-sonnet-4-6',
  'gemini-generate': 'gm-3.5-flash-lite',
  'dashscope-chat': 'qn3.8-omni-flash',
};

const planned = (rounds, lengthMs, streamMs) => {
  const callerRounds = (scenario) => ({ scenario, rounds, times: { durationMs: lengthMs } });
  const streamRounds = (scenario, times) => ({ scenario, rounds: times, times: { windowMs: streamMs } });
  return { callerRounds, streamRounds };
};

/** The measured scenarios in order: the streams first, while every candidate's memory is fresh. */
export function planOf(isQuick) {
  const { callerRounds, streamRounds } = isQuick ? planned(1, 1_500, 500) : planned(3, 4_000, 2_000);
  const { manyStreams, streams, one, some, many, large } = scenarios;
  return {
    warmUp: warmUpOf(isQuick ? 8_000 : 20_000),
    // After the load, V8 collects what it left. A candidate rests only when that is over.
    settleMs: isQuick ? 5_000 : 30_000,
    atRestMs: isQuick ? 3_000 : 10_000,
    adapterMs: isQuick ? 500 : 2_000,
    measured: [
      streamRounds(manyStreams, isQuick ? 1 : 2),
      ...(isQuick ? [] : [streamRounds(streams, 1)]),
      ...[one, some, many, large].map(callerRounds),
    ],
  };
}
