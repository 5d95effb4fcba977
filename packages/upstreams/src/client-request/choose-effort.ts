import type { ChatCompletionRequest, ChatModelTraits } from '@gateway/contracts';
import type { NeutralCall } from '../protocol.js';
import { unsupportedParameter, unsupportedValue } from './refuse-request.js';

/**
 * Translates `reasoning_effort` to the upstream's value; undefined if the client sent none. Throws a GatewayError (400)
 * for an unsupported effort: another one would bill reasoning that the client did not request.
 */
export function chooseEffort(
  request: Pick<ChatCompletionRequest, 'reasoning_effort'>,
  traits: ChatModelTraits,
  param = 'reasoning_effort',
): string | undefined {
  const effort = request.reasoning_effort;
  if (effort == null) return undefined;
  const { efforts } = traits;
  const value = efforts !== null && Object.hasOwn(efforts, effort) ? efforts[effort] : undefined;
  if (value !== undefined) return value;
  // A model without reasoning already behaves as `none` requires.
  if (effort === 'none' && efforts === null && traits.thinking === 'none') return undefined;
  if (efforts === null) throw unsupportedParameter(param);
  const known = Object.keys(efforts)
    .map((name) => `'${name}'`)
    .join(', ');
  throw unsupportedValue(
    `Unsupported value: '${effort}' is not supported with this model. Supported values are: ${known}.`,
    param,
  );
}

/** As `chooseEffort`, for a call in the neutral form. */
export const effortOf = ({ request, traits, names }: NeutralCall): string | undefined =>
  chooseEffort({ reasoning_effort: request.settings.effort }, traits, names.effort);

const BUDGET = /^\d{1,7}$/;

/** Parses an effort that the upstream expects as a token budget; undefined if it expects a word. */
export const budgetOf = (value: string): number | undefined => (BUDGET.test(value) ? Number(value) : undefined);
