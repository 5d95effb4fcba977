import { type Directives, stripDirectives } from '../directives/directives.js';
import type { ToolCall, ToolChoice, ToolSpec } from './completion.js';
import { fitSchema } from './fit-schema.js';

const SAYS_TOOL = /\btools?\b/i;

export interface ToolOffer {
  readonly tools: readonly ToolSpec[];
  readonly choice: ToolChoice;
  readonly allowsParallel: boolean;
  /** A tool has already answered: the model then speaks. */
  readonly hasResult: boolean;
  readonly lastUserText: string;
}

const shouldCallTool = (offer: ToolOffer, directives: Directives): boolean => {
  if (offer.tools.length === 0 || offer.choice === 'none' || offer.hasResult) return false;
  return (
    offer.choice !== 'auto' ||
    directives.tool !== undefined ||
    directives.tools !== undefined ||
    SAYS_TOOL.test(stripDirectives(offer.lastUserText))
  );
};

/** The tool calls of this answer; none if the model speaks instead. */
export const chooseTools = (offer: ToolOffer, directives: Directives): ToolCall[] => {
  if (!shouldCallTool(offer, directives)) return [];
  const name = typeof offer.choice === 'object' ? offer.choice.name : directives.tool;
  const candidates = name === undefined ? offer.tools : offer.tools.filter((tool) => tool.name === name);
  const count = candidates.length === 0 ? 0 : offer.allowsParallel ? (directives.tools ?? 1) : 1;
  return Array.from({ length: count }, (_, at) => {
    const tool = candidates[at % candidates.length];
    return { name: tool?.name ?? '', argumentsJson: JSON.stringify(fitSchema(tool?.schema, at + 1)) };
  });
};
