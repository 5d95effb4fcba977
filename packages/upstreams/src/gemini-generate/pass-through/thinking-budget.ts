import { type Changes, isJsonObject, type JsonObject } from '@gateway/contracts';
import { budgetOf } from '../../client-request/choose-effort.js';
import { JsonMembers } from '../../json/json-members.js';
import type { PassThroughGenerateCall } from '../../protocol.js';

const LEVEL = /thinking_?level"/i;
const UNSPECIFIED = 'thinking_level_unspecified';
const UNSPECIFIED_LEVEL = new RegExp(`"${UNSPECIFIED}"`, 'i');
const NAME = 'generationConfig.thinkingConfig.thinkingBudget';

interface Budgeted {
  readonly body: Buffer;
  readonly changes?: Changes;
}

/** The member of an object in either spelling, and which one it has. */
function memberOf(object: JsonObject, camel: string, snake: string): readonly [string, JsonObject] | undefined {
  const name = object[camel] == null ? snake : camel;
  const value = object[name];
  return isJsonObject(value) ? [name, value] : undefined;
}

/**
 * Clients that know newer models ask for a level of thinking. A model with budgets gets the budget of that effort, and the
 * change is reported. A level without a budget is the vendor's to refuse. An unspecified level means none, so it is left out
 * for every model. Parses only a body that may need a change.
 */
export function withBudget({ body, budgets }: Pick<PassThroughGenerateCall, 'body' | 'budgets'>): Budgeted {
  const concerned = budgets == null ? UNSPECIFIED_LEVEL : LEVEL;
  if (!concerned.test(body.toString('latin1'))) return { body };
  const members = JsonMembers.of<Record<string, unknown>>(body);
  const config = memberOf(
    { generationConfig: members.read('generationConfig'), generation_config: members.read('generation_config') },
    'generationConfig',
    'generation_config',
  );
  const thinking = config && memberOf(config[1], 'thinkingConfig', 'thinking_config');
  if (config === undefined || thinking === undefined) return { body };
  const { thinkingLevel, thinking_level: snakeLevel, ...others } = thinking[1];
  const level = String(thinkingLevel ?? snakeLevel ?? '').toLowerCase();
  const budget = budgetOf(budgets?.[level] ?? '');
  if (budget === undefined && level !== UNSPECIFIED) return { body };
  const sent = { ...others, ...(budget !== undefined && { thinkingBudget: budget }) };
  const changed = members.with({ [config[0]]: { ...config[1], [thinking[0]]: sent } }).bytes();
  return budget === undefined
    ? { body: changed }
    : { body: changed, changes: { filled: { [NAME]: String(budget) }, dropped: [] } };
}
