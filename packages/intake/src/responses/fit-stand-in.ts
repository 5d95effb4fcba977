import { hasNativeResponses, isStandIn, type ModelWithCapability } from '@gateway/catalogue';
import { CONFIGURATION_UPDATE, isConfigurationUpdate, mergeChanges, updatedEffort } from '@gateway/contracts';
import type { Rewritten } from '../rewritten.js';
import { fitEffort } from '../stand-in-effort.js';

type Body = Record<string, unknown>;

const SAMPLING = ['temperature', 'top_p'];

type Fit = (body: Body, model: ModelWithCapability<'chat'>) => Rewritten | undefined;

/**
 * A built-in name is of a model that takes sampling parameters, updates of its settings, and maybe other efforts. A reasoning
 * model that serves the name would refuse them, so they are left out or replaced, as on chat completions. Undefined: the body
 * stays as it is, as it does for a model by its own name.
 */
export function fitStandIn(body: Body, model: ModelWithCapability<'chat'>): Rewritten | undefined {
  let fitted: Rewritten | undefined;
  for (const fit of FITS) {
    const next = fit(fitted?.body ?? body, model);
    if (next !== undefined) fitted = { body: next.body, changes: mergeChanges(fitted?.changes, next.changes) };
  }
  return fitted;
}

/** The effort of the last update is that of the request. */
function withoutUpdates(body: Body, model: ModelWithCapability<'chat'>): Rewritten | undefined {
  const { input, reasoning } = body;
  if (!hasNativeResponses(model) || !isStandIn(body.model, model) || !Array.isArray(input)) return undefined;
  const kept = input.filter((item) => !isConfigurationUpdate(item));
  if (kept.length === input.length) return undefined;
  const effort = updatedEffort(input);
  return {
    body: {
      ...body,
      input: kept,
      ...(effort !== undefined && { reasoning: { ...(reasoning as Body | null), effort } }),
    },
    changes: {
      filled: effort === undefined ? {} : { 'reasoning.effort': effort },
      dropped: [`input[].${CONFIGURATION_UPDATE}`],
    },
  };
}

function withoutSampling(body: Body, model: ModelWithCapability<'chat'>): Rewritten | undefined {
  const isFixed = hasNativeResponses(model) && model.chat.traits.temperature === 'fixed';
  if (!isFixed || !isStandIn(body.model, model)) return undefined;
  const dropped = SAMPLING.filter((name) => body[name] != null);
  if (dropped.length === 0) return undefined;
  const fitted = Object.fromEntries(Object.entries(body).filter(([name]) => !dropped.includes(name)));
  return { body: fitted, changes: { filled: {}, dropped } };
}

function withEffort(body: Body, model: ModelWithCapability<'chat'>): Rewritten | undefined {
  const reasoning = (body.reasoning ?? {}) as Body;
  const fitted = fitEffort(reasoning.effort, 'reasoning.effort', { name: body.model, model });
  if (fitted === undefined) return undefined;
  return { body: { ...body, reasoning: { ...reasoning, effort: fitted.effort } }, changes: fitted.changes };
}

/** In order: each reads the body of the one before. */
const FITS: readonly Fit[] = [withoutSampling, withoutUpdates, withEffort];
