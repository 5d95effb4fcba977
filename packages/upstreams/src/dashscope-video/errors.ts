import type { TaskReading } from '@gateway/contracts';
import { readDashScopeNativeFailure as readFailure } from '../failures/dashscope-native-failure.js';
import { errorObjectOf, stringAt } from '../failures/error-body.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

export { readFailure };

const REFUSALS: ReadonlySet<number> = new Set([400, 409, 422]);

/** A task that only waits can be cancelled; the vendor says `UnsupportedOperation` of any other. */
export function isCancelRefusal(failure: UpstreamFailure): boolean {
  const code = stringAt(errorObjectOf(failure.body) ?? {}, 'code');
  return REFUSALS.has(failure.status) && /^(UnsupportedOperation|InvalidParameter|BadRequest)/.test(code);
}

/** The vendor knows no task of that id, as opposed to no model, no workspace or no path of that name. */
export function readPollFailure(failure: UpstreamFailure): TaskReading | ReadFailure {
  const object = errorObjectOf(failure.body);
  const isUnknownTask = failure.status === 404 && object !== undefined && stringAt(object, 'code') === 'NotFound';
  return isUnknownTask ? { state: 'unknown', native: object } : readFailure(failure);
}
