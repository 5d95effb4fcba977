import type { ModelWithCapability } from '@gateway/catalogue';
import type { Rewritten } from '../rewritten.js';
import { fitEffort } from '../stand-in-effort.js';

const FIELD = 'reasoning_effort';

/** A body by a built-in name with an effort that the model that serves it takes. Undefined: the body stays as it is. */
export function fitStandInChat(
  body: Record<string, unknown>,
  model: ModelWithCapability<'chat'>,
): Rewritten | undefined {
  const fitted = fitEffort(body[FIELD], FIELD, { name: body.model, model });
  return fitted === undefined ? undefined : { body: { ...body, [FIELD]: fitted.effort }, changes: fitted.changes };
}
