import { textOf } from '../../../json/fields.js';
import type { ResultStore } from '../../../results/result-store.js';
import { pollTask } from '../../../tasks/poll-task.js';
import type { TaskState } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newUuid } from '../../vendor-ids.js';
import { notFound, parseBody, unknownModel, unparsable, videoErrors, xaiHeaders } from '../xai-errors.js';
import type { GrokVideoJob } from './grok-video-job.js';
import { findVideoModel } from './read-media.js';
import { MODERATION, type Operation, readVideoJob } from './read-video-job.js';

type Task = VideoTask<GrokVideoJob>;

export interface PollResponse {
  readonly status: 200 | 202;
  /** Null: an empty body, possible while a task is pending. */
  readonly body: object | null;
}

const MAX_PENDING_PROGRESS = 99;

const pending = ({ job: { directives }, progress }: Task): object | null =>
  directives.pollIsEmpty === true
    ? null
    : { status: directives.runningWord ?? 'pending', progress: Math.floor(progress * MAX_PENDING_PROGRESS) };

function done({ job }: Task, url: string): object {
  const { video, directives } = job;
  return {
    status: 'done',
    video: { ...(directives.hidesVideo !== true && { url }), duration: video.seconds, respect_moderation: true },
    model: job.model,
    ...(directives.hidesUsage !== true && { usage: { cost_in_usd_ticks: job.ticks } }),
    progress: 100,
  };
}

/** This vendor reports a moderated video as done, without an address, and bills it. */
const moderated = ({ job }: Task): object => ({
  status: 'done',
  video: { duration: job.video.seconds, respect_moderation: false },
  model: job.model,
  ...(job.directives.hidesUsage !== true && { usage: { cost_in_usd_ticks: job.ticks } }),
  progress: 100,
});

const NO_VIDEO = { duration: 0, respect_moderation: true };
const failed = ({ failure }: Task): object => ({ status: 'failed', video: NO_VIDEO, model: '', error: failure });

/** The response to a poll. `state` may be false (`task_lies`). */
function taskBody(task: Task, state: TaskState, results: ResultStore): PollResponse {
  switch (state) {
    case 'succeeded':
      return { status: 200, body: done(task, task.resultUrl(results)) };
    case 'failed':
      return { status: 200, body: task.failure.code === MODERATION ? moderated(task) : failed(task) };
    case 'expired':
    case 'cancelled':
      return { status: 200, body: { status: 'expired', model: task.job.model } };
    case 'queued':
    case 'running':
      return { status: 202, body: pending(task) };
  }
}

const createOf =
  (operation: Operation) =>
  (incoming: IncomingRequest, memory: Memory): RenderedReply => {
    const request = parseBody(incoming);
    const name = textOf(request.model);
    if (name === '') throw unparsable('missing field `model`');
    incoming.record.model = name;
    const model = findVideoModel(name);
    if (model === undefined) throw unknownModel(name);
    const job = readVideoJob(operation, request, model, incoming, memory);
    return {
      kind: 'rendered',
      directives: job.directives,
      headers: xaiHeaders(),
      usage: null,
      whole: () => {
        const task = memory.tasks.xai.start({ id: newUuid(), job, body: incoming.body });
        incoming.record.upstreamId = task.id;
        incoming.record.task = task;
        return JSON.stringify({ request_id: task.id });
      },
    };
  };

const query = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const id = incoming.params.id ?? '';
  incoming.record.upstreamId = id;
  const task = memory.tasks.xai.find(id, incoming.credential ?? '');
  if (task === undefined) throw notFound('Deferred request not found.');
  incoming.record.model = task.job.model;
  const { state, faults } = pollTask(task);
  const { status, body } = taskBody(task, state, memory.results);
  return {
    kind: 'rendered',
    directives: faults,
    headers: xaiHeaders(),
    status,
    usage: null,
    whole: () => (body === null ? '' : JSON.stringify(body)),
  };
};

const common = { protocol: 'xai-video', errors: videoErrors } as const;

/** This vendor has no cancel: a task cancelled by hand is reported as expired. */
export const videoRoutes: readonly Route[] = [
  { ...common, method: 'POST', path: '/v1/videos/generations', handle: createOf('generation') },
  { ...common, method: 'POST', path: '/v1/videos/edits', handle: createOf('edit') },
  { ...common, method: 'POST', path: '/v1/videos/extensions', handle: createOf('extension') },
  { ...common, method: 'GET', path: '/v1/videos/:id', protocol: 'xai-tasks', handle: query },
];
