import { isStandIn, type ModelWithCapability } from '@gateway/catalogue';
import { type Changes, EFFORTS, type Effort } from '@gateway/contracts';

export interface FittedEffort {
  readonly effort: Effort;
  readonly changes: Changes;
}

/**
 * The effort of a request by a built-in name, which is of a model that may take others: `gpt-5-mini` takes `minimal`. The model
 * that serves the name gets the next lower one that it takes, or its least. Undefined: the effort stays. `field`: its name.
 */
export function fitEffort(
  effort: unknown,
  field: string,
  { name, model }: { readonly name: unknown; readonly model: ModelWithCapability<'chat'> },
): FittedEffort | undefined {
  const { efforts } = model.chat.traits;
  const wanted = EFFORTS.indexOf(effort as Effort);
  if (wanted === -1 || efforts === null || efforts[effort as Effort] !== undefined || !isStandIn(name, model))
    return undefined;
  const taken = EFFORTS.filter((known) => efforts[known] !== undefined);
  const fitted = taken.findLast((known) => EFFORTS.indexOf(known) < wanted) ?? taken[0];
  return fitted === undefined ? undefined : { effort: fitted, changes: { filled: { [field]: fitted }, dropped: [] } };
}
