import type { TaskReading } from '@gateway/contracts';
import { readDashScopeNativeFailure as readFailure } from '../failures/dashscope-native-failure.js';
import { errorObjectOf } from '../failures/error-body.js';
import { stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

export { readFailure };

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 409, 422]);

/** The vendor cancels only pending tasks. It refuses others with `UnsupportedOperation`. */
export function isCancelRefusal(failure: UpstreamFailure): boolean {
  const code = stringAt(errorObjectOf(failure.body) ?? {}, 'code');
  return REFUSAL_STATUSES.has(failure.status) && /^(UnsupportedOperation|InvalidParameter|BadRequest)/.test(code);
}

/** Separates an unknown task from an unknown model, workspace or path: all give 404. */
export function readPollFailure(failure: UpstreamFailure): TaskReading | ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const isUnknownTask = failure.status === 404 && object !== undefined && stringAt(object, 'code') === 'NotFound';
  return isUnknownTask ? { state: 'unknown', native: object } : readFailure(failure);
}
