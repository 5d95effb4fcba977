import { isJsonObject } from '../json/json-object.js';
import { EFFORTS, type Effort } from '../neutral/request.js';

/** The item by which a client changes the effort of a conversation from that place on. Newer models of OpenAI take it. */
export const CONFIGURATION_UPDATE = 'configuration_update';

export const isConfigurationUpdate = (item: unknown): boolean =>
  isJsonObject(item) && item.type === CONFIGURATION_UPDATE;

/** The effort that the last update of an input has set. Undefined: no update sets one. */
export function updatedEffort(input: unknown): Effort | undefined {
  const efforts = Array.isArray(input) ? input.filter(isConfigurationUpdate).map(effortOf) : [];
  return efforts.findLast((effort) => effort !== undefined);
}

function effortOf({ reasoning }: { readonly reasoning?: unknown }): Effort | undefined {
  const effort = isJsonObject(reasoning) ? reasoning.effort : undefined;
  return EFFORTS.find((known) => known === effort);
}
