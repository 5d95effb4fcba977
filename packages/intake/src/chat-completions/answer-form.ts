import { isJsonObject } from '@gateway/contracts';

type Body = Record<string, unknown>;

/**
 * The body for the worker, which answers in the form of the client: `functions: true` stands for the older form of tools,
 * `reasoning: true` for reasoning in OpenRouter's and Groq's field too.
 */
export const withAnswerForm = (published: Body, asked: Body): Body => ({
  ...published,
  ...(asked.functions != null && { functions: true }),
  ...(readsReasoning(asked) && { reasoning: true }),
});

/** A body in the form of the Responses protocol, which has no messages, has a `reasoning` of its own. */
const readsReasoning = ({ messages, reasoning, include_reasoning: includes, usage }: Body): boolean => {
  if (messages === undefined) return false;
  return isJsonObject(reasoning) ? reasoning.exclude !== true : includes === true || isJsonObject(usage);
};
