import { errorObjectOf } from '../failures/error-body.js';
import { readOpenAiFailure } from '../failures/openai-failure.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

/** As for generations. Renames the code of an invalid mask to the public one. */
export function readFailure(failure: UpstreamFailure): ClassifiedFailure {
  const object = errorObjectOf(failure.body) ?? {};
  const error = objectAt(object, 'error');
  if (stringAt(error, 'code') !== 'invalid_mask_image_format') return readOpenAiFailure(failure);
  const named = { ...object, error: { ...error, code: 'invalid_mask' } };
  return readOpenAiFailure({ ...failure, body: Buffer.from(JSON.stringify(named)) });
}
