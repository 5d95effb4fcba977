import type { TaskReading } from '@gateway/contracts';
import { readArkFailure as readFailure } from '../failures/ark-failure.js';
import { errorObjectOf, objectAt, stringAt } from '../failures/error-body.js';
import type { ReadFailure, UpstreamFailure } from '../protocol.js';

export { readFailure };

const REFUSALS: ReadonlySet<number> = new Set([400, 403, 409, 422]);
const ABOUT_THE_TASK = /^(InvalidParameter|InvalidArgument|InvalidAction|OperationDenied\.InvalidState|Conflict)/;
const NO_SUCH_TASK = /^(NotFound|ResourceNotFound|InvalidTask)/;

const codeOf = ({ body }: UpstreamFailure): string => stringAt(objectAt(errorObjectOf(body) ?? {}, 'error'), 'code');

/** A task that waits can be cancelled; one that runs cannot, and the vendor says so in one of these words. */
export const isCancelRefusal = (failure: UpstreamFailure): boolean =>
  REFUSALS.has(failure.status) && ABOUT_THE_TASK.test(codeOf(failure));

/** The vendor knows no task of that id, as opposed to no model or endpoint of that name. */
export function readPollFailure(failure: UpstreamFailure): TaskReading | ReadFailure {
  const isUnknownTask = failure.status === 404 && NO_SUCH_TASK.test(codeOf(failure));
  return isUnknownTask ? { state: 'unknown', native: errorObjectOf(failure.body) ?? {} } : readFailure(failure);
}
