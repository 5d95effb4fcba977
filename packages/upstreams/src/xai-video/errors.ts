import type { TaskReading } from '@gateway/contracts';
import { errorObjectOf } from '../failures/error-body.js';
import { readXaiFailure as readFailure } from '../failures/xai-failure.js';
import type { ClassifiedFailure, UpstreamFailure } from '../protocol.js';

export { readFailure };

/** A 404 about neither a model nor a team concerns the task. */
export function readPollFailure(failure: UpstreamFailure): TaskReading | ClassifiedFailure {
  const object = errorObjectOf(failure.body);
  const read = readFailure(failure);
  return failure.status === 404 && object !== undefined && read.kind === 'request'
    ? { state: 'unknown', native: object }
    : read;
}
