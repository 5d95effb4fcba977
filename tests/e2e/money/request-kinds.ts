import { type SeededRandom } from '@gateway/testing';
import { PIXEL_PNG, weatherTool } from '../support/samples.js';
import { REASONING_MODELS } from '../text/chat-fields.js';

/** What the client does after it has sent its request. */
export type ClientBehavior =
  | { readonly action: 'read' }
  | { readonly action: 'readSlowly' }
  | { readonly action: 'leaveAtByte'; readonly byte: number }
  /** Disconnects after that many bytes of generated text: all that the upstream sends before it stalls. */
  | { readonly action: 'leaveAtText'; readonly textBytes: number }
  | { readonly action: 'leaveAfterMs'; readonly milliseconds: number };

/**
 * How the charge compares with the upstream's invoice. `exact`: equal, by the upstream's own count. `knownState`: an
 * estimate that is equal. `atMost`: never above it, and an estimate unless equal. `nothing`: no charge. `refused`:
 * rejected by the gateway, so there is no settlement.
 */
export type ChargeRule = 'exact' | 'knownState' | 'atMost' | 'nothing' | 'refused';

export interface RequestSpec {
  readonly directives?: string;
  readonly more?: object;
  readonly content?: readonly object[];
  readonly behavior?: ClientBehavior;
}

export interface RequestKind {
  readonly weight: number;
  readonly chargeRule: ChargeRule;
  /** Undefined: chosen at random. */
  readonly isStream?: boolean;
  draw(random: SeededRandom, contextTokens: number): RequestSpec;
}

const CHUNK_BYTES = 16;
/** They reason unseen by default, so a client that leaves changes nothing for them. */
const COMPLETING_MODEL = /^gm-/;

const randomLength = (random: SeededRandom): string => `words=${random.whole(1, 120)}`;

/** Every kind of request in the mix. */
export const REQUEST_KINDS = {
  whole: {
    weight: 22,
    chargeRule: 'exact',
    isStream: false,
    draw: (random) => ({ directives: randomLength(random) }),
  },
  stream: { weight: 18, chargeRule: 'exact', isStream: true, draw: (random) => ({ directives: randomLength(random) }) },
  tools: {
    weight: 6,
    chargeRule: 'exact',
    draw: (random) => ({ directives: `tools=${random.whole(1, 3)}`, more: { tools: [weatherTool] } }),
  },
  image: {
    weight: 3,
    chargeRule: 'exact',
    draw: () => ({ content: [{ type: 'image_url', image_url: { url: PIXEL_PNG } }] }),
  },
  long: {
    weight: 6,
    chargeRule: 'exact',
    draw: (random, contextTokens) => {
      const prompt = random.whole(1, Math.min(contextTokens - 10_000, 260_000));
      return { directives: `prompt_tokens=${prompt} cached_tokens=${random.whole(0, prompt)} ${randomLength(random)}` };
    },
  },
  capped: {
    weight: 3,
    chargeRule: 'exact',
    draw: (random) => ({ directives: 'words=400', more: { max_completion_tokens: random.whole(30, 90) } }),
  },
  slowReader: {
    weight: 2,
    chargeRule: 'exact',
    isStream: true,
    draw: () => ({ directives: 'words=1500', behavior: { action: 'readSlowly' } }),
  },
  recovered: {
    weight: 4,
    chargeRule: 'exact',
    draw: (random) => ({ directives: `status=500 times=1 ${randomLength(random)}` }),
  },
  rejectedUpstream: { weight: 4, chargeRule: 'nothing', draw: () => ({ directives: 'status=400' }) },
  unhealthyUpstream: { weight: 1, chargeRule: 'nothing', draw: () => ({ directives: 'status=503' }) },
  invalidResponse: { weight: 2, chargeRule: 'nothing', draw: () => ({ directives: 'garbage' }) },
  leftBeforeFirstByte: {
    weight: 5,
    chargeRule: 'atMost',
    draw: (random) => ({
      directives: 'delay_ms=100',
      behavior: { action: 'leaveAfterMs', milliseconds: random.whole(0, 60) },
    }),
  },
  leftAnywhere: {
    weight: 8,
    chargeRule: 'atMost',
    isStream: true,
    draw: (random) => ({
      directives: `chunks=${random.whole(10, 40)} chunk_ms=2`,
      behavior: { action: 'leaveAtByte', byte: random.whole(1, 9_000) },
    }),
  },
  leftInKnownState: {
    weight: 6,
    chargeRule: 'knownState',
    isStream: true,
    draw: (random) => {
      const chunks = random.whole(1, 30);
      return {
        directives: `chunks=40 reasoning_tokens=0 hang_after=${chunks}`,
        behavior: { action: 'leaveAtText', textBytes: chunks * CHUNK_BYTES },
      };
    },
  },
  cutStream: {
    weight: 4,
    chargeRule: 'atMost',
    isStream: true,
    draw: (random) => ({ directives: `chunks=20 cut_after=${random.whole(0, 19)}` }),
  },
  cutWhole: {
    weight: 2,
    chargeRule: 'nothing',
    isStream: false,
    draw: (random) => ({ directives: `cut_after=${random.whole(0, 1)}` }),
  },
  failedInside: {
    weight: 3,
    chargeRule: 'atMost',
    isStream: true,
    draw: (random) => ({ directives: `chunks=20 error_after=${random.whole(0, 19)}` }),
  },
  withoutUsage: {
    weight: 2,
    chargeRule: 'atMost',
    draw: (random) => ({ directives: `no_usage ${randomLength(random)}` }),
  },
  invalid: { weight: 2, chargeRule: 'refused', draw: () => ({ more: { n: 2 } }) },
} as const satisfies Record<string, RequestKind>;

export type RequestKindName = keyof typeof REQUEST_KINDS;

export const kindOf = (name: RequestKindName): RequestKind => REQUEST_KINDS[name];

/** The reasoning models do not stream. */
export const supportsKind = (name: RequestKindName, model: string): boolean =>
  (kindOf(name).isStream !== true || !REASONING_MODELS.includes(model)) &&
  (name !== 'leftInKnownState' || !COMPLETING_MODEL.test(model));
