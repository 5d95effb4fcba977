import type { Model } from '../../api/models.js';

const USUAL_MODEL = 'gm-3.5-flash-lite';

/** A small model if the endpoint has it, else the first one that the endpoint has. */
export function firstModel(models: readonly Pick<Model, 'id' | 'endpoints'>[], endpoint: string): string {
  const served = models.filter(({ endpoints }) => endpoints.includes(endpoint));
  return served.find(({ id }) => id === USUAL_MODEL)?.id ?? served[0]?.id ?? USUAL_MODEL;
}
