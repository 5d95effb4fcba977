import { type SeededRandom } from '@gateway/testing';
import { PIXEL_PNG, weatherTool } from '../support/samples.js';
import { REASONING_MODELS } from '../text/chat-fields.js';

/** What the client does after it has sent its request. */
export type Play =
  | { readonly act: 'read' }
  | { readonly act: 'readSlowly' }
  | { readonly act: 'leaveAtByte'; readonly byte: number }
  /** Disconnects after that many bytes of generated text: all that the upstream sends before it stalls. */
  | { readonly act: 'leaveAtText'; readonly textBytes: number }
  | { readonly act: 'leaveAfterMs'; readonly milliseconds: number };

/**
 * How the charge compares with the upstream's invoice. `exact`: equal, by the upstream's own count. `knownState`: an
 * estimate that is equal. `atMost`: never above it, and an estimate unless equal. `nothing`: no charge. `refused`:
 * rejected by the gateway, so there is no settlement.
 */
export type Verdict = 'exact' | 'knownState' | 'atMost' | 'nothing' | 'refused';

export interface Wish {
  readonly directives?: string;
  readonly more?: object;
  readonly content?: readonly object[];
  readonly play?: Play;
}

export interface Kind {
  readonly weight: number;
  readonly verdict: Verdict;
  /** Undefined: chosen at random. */
  readonly isStream?: boolean;
  wish(random: SeededRandom, contextTokens: number): Wish;
}

const PIECE_BYTES = 16;

const someWords = (random: SeededRandom): string => `words=${random.whole(1, 120)}`;

/** Every kind of request in the mix. */
export const KINDS = {
  answer: { weight: 22, verdict: 'exact', isStream: false, wish: (random) => ({ directives: someWords(random) }) },
  stream: { weight: 18, verdict: 'exact', isStream: true, wish: (random) => ({ directives: someWords(random) }) },
  tools: {
    weight: 6,
    verdict: 'exact',
    wish: (random) => ({ directives: `tools=${random.whole(1, 3)}`, more: { tools: [weatherTool] } }),
  },
  image: {
    weight: 3,
    verdict: 'exact',
    wish: () => ({ content: [{ type: 'image_url', image_url: { url: PIXEL_PNG } }] }),
  },
  long: {
    weight: 6,
    verdict: 'exact',
    wish: (random, contextTokens) => {
      const prompt = random.whole(1, Math.min(contextTokens - 10_000, 300_000));
      return { directives: `prompt_tokens=${prompt} cached_tokens=${random.whole(0, prompt)} ${someWords(random)}` };
    },
  },
  capped: {
    weight: 3,
    verdict: 'exact',
    wish: (random) => ({ directives: 'words=400', more: { max_completion_tokens: random.whole(30, 90) } }),
  },
  slowReader: {
    weight: 2,
    verdict: 'exact',
    isStream: true,
    wish: () => ({ directives: 'words=1500', play: { act: 'readSlowly' } }),
  },
  recovered: {
    weight: 4,
    verdict: 'exact',
    wish: (random) => ({ directives: `status=500 times=1 ${someWords(random)}` }),
  },
  refusedUpstream: { weight: 4, verdict: 'nothing', wish: () => ({ directives: 'status=400' }) },
  illUpstream: { weight: 1, verdict: 'nothing', wish: () => ({ directives: 'status=503' }) },
  nonsense: { weight: 2, verdict: 'nothing', wish: () => ({ directives: 'garbage' }) },
  leftBeforeFirstByte: {
    weight: 5,
    verdict: 'nothing',
    wish: (random) => ({
      directives: 'delay_ms=60000',
      play: { act: 'leaveAfterMs', milliseconds: random.whole(0, 60) },
    }),
  },
  leftAnywhere: {
    weight: 8,
    verdict: 'atMost',
    isStream: true,
    wish: (random) => ({
      directives: `chunks=${random.whole(10, 40)} chunk_ms=2`,
      play: { act: 'leaveAtByte', byte: random.whole(1, 9_000) },
    }),
  },
  leftInKnownState: {
    weight: 6,
    verdict: 'knownState',
    isStream: true,
    wish: (random) => {
      const chunks = random.whole(1, 30);
      return {
        directives: `chunks=40 reasoning_tokens=0 hang_after=${chunks}`,
        play: { act: 'leaveAtText', textBytes: chunks * PIECE_BYTES },
      };
    },
  },
  cutStream: {
    weight: 4,
    verdict: 'atMost',
    isStream: true,
    wish: (random) => ({ directives: `chunks=20 cut_after=${random.whole(0, 19)}` }),
  },
  cutWhole: {
    weight: 2,
    verdict: 'nothing',
    isStream: false,
    wish: (random) => ({ directives: `cut_after=${random.whole(0, 1)}` }),
  },
  failedInside: {
    weight: 3,
    verdict: 'atMost',
    isStream: true,
    wish: (random) => ({ directives: `chunks=20 error_after=${random.whole(0, 19)}` }),
  },
  withoutUsage: { weight: 2, verdict: 'atMost', wish: (random) => ({ directives: `no_usage ${someWords(random)}` }) },
  invalid: { weight: 2, verdict: 'refused', wish: () => ({ more: { n: 2 } }) },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

export const kindOf = (name: KindName): Kind => KINDS[name];

/** The reasoning models do not stream. */
export const mayAsk = (name: KindName, model: string): boolean =>
  kindOf(name).isStream !== true || !REASONING_MODELS.includes(model);
