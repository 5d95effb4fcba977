import type { ImageCapability } from '@gateway/catalogue';
import {
  type ImageProtocolId,
  type OpenAiImageForm,
  openAiImageForm,
  type Unit,
  type UnitCounts,
} from '@gateway/contracts';
import { type ImageReference, isOpenAiImageBody, type MappedImages, mapImageBody } from '@gateway/upstreams';
import { checked } from '../checked.js';
import type { ValidImageRequest } from './valid-image-request.js';

type Body = Record<string, unknown>;

/** Undefined for a body that is the family's own. Throws a 400 that names the client's field. */
export function readOpenAiForm<Id extends ImageProtocolId>(
  body: Body,
  modelId: string,
  { protocol, traits }: ImageCapability<Id>,
): MappedImages<Id> | undefined {
  if (!isOpenAiImageBody(protocol, body)) return undefined;
  return mapImageBody(protocol, checked(openAiImageForm, { ...body, model: modelId }), { id: modelId, traits });
}

/** The same for an edit, whose form has reference images. */
export const readOpenAiEdit = <Id extends ImageProtocolId>(
  form: OpenAiImageForm,
  { protocol, traits }: ImageCapability<Id>,
  references: readonly ImageReference[],
): MappedImages<Id> => mapImageBody(protocol, form, { id: form.model, traits }, references);

/** The worst case of all calls. */
export function timesCalls(valid: ValidImageRequest, calls: number): ValidImageRequest {
  if (calls === 1) return valid;
  const { units, inputTokensTotal } = valid.worstCase;
  const all = Object.fromEntries(
    (Object.entries(units) as [Unit, number][]).map(([unit, count]) => [unit, count * calls]),
  ) as UnitCounts;
  return { ...valid, worstCase: { ...valid.worstCase, units: all, inputTokensTotal: inputTokensTotal * calls } };
}
