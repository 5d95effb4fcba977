import { isStandIn, type ModelWithCapability } from '@gateway/catalogue';
import { EFFORTS, type Effort, isJsonObject } from '@gateway/contracts';
import { nearestEffort } from '@gateway/upstreams';
import type { Rewritten } from '../rewritten.js';

type Body = Record<string, unknown>;
type ChatModel = ModelWithCapability<'chat'>;
type Traits = ChatModel['chat']['traits'];

/** The parts of a field that switches and limits reasoning, which OpenAI's interface does not have. */
interface Spelling {
  readonly field: string;
  readonly effort: string;
  /** The most tokens of reasoning. */
  readonly budget: string;
  readonly switch: string;
  /** Undefined: the model decides. */
  readonly isOn: (value: unknown) => boolean | undefined;
}

const SWITCH: ReadonlyMap<unknown, boolean> = new Map([
  ['enabled', true],
  ['adaptive', true],
  ['disabled', false],
]);

const SPELLINGS: readonly Spelling[] = [
  // OpenRouter: openrouter.ai/docs/use-cases/reasoning-tokens.
  {
    field: 'reasoning',
    effort: 'effort',
    budget: 'max_tokens',
    switch: 'enabled',
    isOn: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  // DeepSeek, Kimi, GLM and MiniMax; Anthropic for OpenAI's library: platform.claude.com/docs/en/api/openai-sdk.
  {
    field: 'thinking',
    effort: 'effort',
    budget: 'budget_tokens',
    switch: 'type',
    isOn: (value) => SWITCH.get(value),
  },
];

/** As in the messages format and in Google's. */
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;
/** What OpenRouter takes a bare switch for. */
const SWITCHED_ON = 'medium';
const MOST_LOST = 8;
const LONGEST_NAME = 64;

/**
 * Returns a body with the published effort instead of such fields. Undefined for every other body: another value than an
 * object stays, and is refused as OpenAI does.
 */
export function withPublishedEffort(body: Body, model: ChatModel): Rewritten | undefined {
  const { traits } = model.chat;
  const spelled = SPELLINGS.filter(({ field }) => isJsonObject(body[field]));
  if (spelled.length === 0) return undefined;
  const asked = spelled.map((spelling) => {
    const parts = body[spelling.field] as Body;
    return { spelling, parts, effort: fitted(effortOf(parts, spelling, traits), body.model, model) };
  });
  const given = body.reasoning_effort;
  const filled = given == null ? asked.find(({ effort }) => effort !== undefined)?.effort : undefined;
  const effort = typeof given === 'string' ? given : filled;
  const fields = new Set(spelled.map(({ field }) => field));
  const rest = Object.fromEntries(Object.entries(body).filter(([name]) => !fields.has(name)));
  const values = filled === undefined ? {} : { reasoning_effort: filled };
  const dropped = asked.flatMap((one) => lostOf(one, { isFilled: one.effort === filled, effort, traits }));
  return { body: { ...rest, ...values }, changes: { filled: values, dropped } };
}

/** The effort that the parts ask for, whether or not the model has it. */
function effortOf(parts: Body, spelling: Spelling, traits: Traits): string | undefined {
  const { [spelling.effort]: effort, [spelling.budget]: budget } = parts;
  if (typeof effort === 'string') return effort;
  const isOn = spelling.isOn(parts[spelling.switch]);
  if (isOn === false) return 'none';
  if (typeof budget === 'number' && budget > 0) return effortOfBudget(budget);
  // A model that shows all its reasoning does so without an effort.
  return isOn === true && traits.hiddenReasoning !== 'never' ? SWITCHED_ON : undefined;
}

/** The nearest effort of the model, as OpenRouter takes every effort for every model. A model without efforts gets none. */
function fitted(effort: string | undefined, name: unknown, model: ChatModel): string | undefined {
  const { traits } = model.chat;
  if (effort === undefined || traits.efforts === null) return undefined;
  // Another text is refused by its value. By a built-in name every other effort is fitted by `fitStandInChat`.
  return !isEffort(effort) || (effort !== 'none' && isStandIn(name, model)) ? effort : nearestEffort(effort, traits);
}

const isEffort = (text: string): text is Effort => (EFFORTS as readonly string[]).includes(text);

function effortOfBudget(tokens: number): Effort {
  if (tokens <= LOW_BUDGET) return 'low';
  return tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
}

interface Asked {
  readonly spelling: Spelling;
  readonly parts: Body;
  readonly effort: string | undefined;
}

interface Served {
  /** True if the body got the effort of these parts. */
  readonly isFilled: boolean;
  /** What counts, of whichever field. */
  readonly effort: string | undefined;
  readonly traits: Traits;
}

function lostOf({ spelling, parts, effort: own }: Asked, { isFilled, effort, traits }: Served): readonly string[] {
  const thinks = effort === undefined ? traits.hiddenReasoning !== 'on_request' : effort !== 'none';
  const isServed = isFilled && own !== undefined;
  const hasEffort = typeof parts[spelling.effort] === 'string';
  const isOn = spelling.isOn(parts[spelling.switch]);
  const served: Readonly<Record<string, boolean>> = {
    [spelling.effort]: isServed && hasEffort,
    [spelling.budget]: isServed && !hasEffort && isOn !== false && typeof parts[spelling.budget] === 'number',
    [spelling.switch]: isOn === true ? thinks : isOn === false && (effort === 'none' || (isServed && !hasEffort)),
  };
  return Object.keys(parts)
    .filter((name) => parts[name] != null && !(Object.hasOwn(served, name) && served[name]))
    .slice(0, MOST_LOST)
    .map((name) => `${spelling.field}.${name.slice(0, LONGEST_NAME)}`);
}
