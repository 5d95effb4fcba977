import type { TaskReading } from '@gateway/contracts';
import { readArkFailure as readFailure } from '../failures/ark-failure.js';
import { errorObjectOf } from '../failures/error-body.js';
import { objectAt, stringAt } from '../json/read-fields.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

export { readFailure };

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 403, 409, 422]);
const REFUSAL_CODES = /^(InvalidParameter|InvalidArgument|InvalidAction|OperationDenied\.InvalidState|Conflict)/;
const NO_SUCH_TASK = /^(NotFound|ResourceNotFound|InvalidTask)/;

const codeOf = ({ body }: UpstreamFailure): string => stringAt(objectAt(errorObjectOf(body) ?? {}, 'error'), 'code');

/** The vendor cancels only queued tasks. These codes refuse a running or ended one. */
export const isCancelRefusal = (failure: UpstreamFailure): boolean =>
  REFUSAL_STATUSES.has(failure.status) && REFUSAL_CODES.test(codeOf(failure));

/** Separates an unknown task from an unknown model or endpoint: all three give 404. */
export function readPollFailure(failure: UpstreamFailure): TaskReading | ClassifiedFailure {
  const isUnknownTask = failure.status === 404 && NO_SUCH_TASK.test(codeOf(failure));
  return isUnknownTask ? { state: 'unknown', native: errorObjectOf(failure.body) ?? {} } : readFailure(failure);
}
