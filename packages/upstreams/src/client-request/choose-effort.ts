import type { ChatCompletionRequest, ChatModelTraits } from '@gateway/contracts';
import { unsupportedParameter, unsupportedValue } from './refuse-request.js';

/**
 * The upstream's word for the effort that the client asked for; undefined if it asked for none. Throws a GatewayError
 * (400) for an effort that the model does not have: to run another one would be billed without having been ordered.
 */
export function chooseEffort(
  request: Pick<ChatCompletionRequest, 'reasoning_effort'>,
  traits: ChatModelTraits,
): string | undefined {
  const asked = request.reasoning_effort;
  if (asked == null) return undefined;
  const { efforts } = traits;
  const word = efforts !== null && Object.hasOwn(efforts, asked) ? efforts[asked] : undefined;
  if (word !== undefined) return word;
  // A model that never thinks does what `none` asks for.
  if (asked === 'none' && efforts === null && traits.thinking === 'none') return undefined;
  if (efforts === null) throw unsupportedParameter('reasoning_effort');
  const known = Object.keys(efforts)
    .map((effort) => `'${effort}'`)
    .join(', ');
  throw unsupportedValue(
    `Unsupported value: '${asked}' is not supported with this model. Supported values are: ${known}.`,
    'reasoning_effort',
  );
}

const BUDGET = /^\d{1,7}$/;

/** The tokens of an effort that the upstream takes as a number; undefined if it takes a word. */
export const budgetOf = (word: string): number | undefined => (BUDGET.test(word) ? Number(word) : undefined);
