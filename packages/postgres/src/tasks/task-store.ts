import type { Database } from '../database.js';
import { batch } from './batcher.js';
import { recordCancelRefused } from './cancel-task.js';
import { claimPolls, type PollClaim, postponePoll } from './claim-polls.js';
import { findTaskById } from './find-task.js';
import { finishTask, readKeySpending, type TaskCompletion } from './finish-task.js';
import {
  countModeratedTasks,
  countOpenByChannel,
  countOpenTasks,
  knownUpstreamTasks,
  rivalSubmissions,
  usualDurationMs,
} from './observe-tasks.js';
import { type NewVideoTask, openTask } from './open-task.js';
import { type PollUpdate, type RecordedPoll, recordPolls, startsRunning } from './record-polls.js';
import {
  type Acceptance,
  acceptTask,
  recordSubmission,
  recordUnknownSubmission,
  type TaskRevision,
} from './submit-task.js';
import { abandonedSubmissions, expiredTasks, overdueTasks } from './sweep-tasks.js';
import type { WorkerVideoTask } from './video-task-row.js';

/**
 * Every change of a task, each one statement; polls, of which there are hundreds a second, share statements. A change
 * that returns null found another version of the task: read the task again.
 */
export const openTaskStore = (database: Database) => {
  const claimPoll = batch((claims: readonly PollClaim[]) => claimPolls(database, claims));
  const recordQuietPoll = batch((polls: readonly RecordedPoll[]) => recordPolls(database, polls));
  return {
    open: (task: NewVideoTask, leaseMs: number) => openTask(database, task, leaseMs),
    recordSubmission: (task: TaskRevision, channelId: string, leaseMs: number) =>
      recordSubmission(database, task, channelId, leaseMs),
    accept: (task: TaskRevision, acceptance: Acceptance) => acceptTask(database, task, acceptance),
    recordUnknownSubmission: (task: TaskRevision, attempts: Acceptance['attempts'], nextPollMs: number) =>
      recordUnknownSubmission(database, task, attempts, nextPollMs),
    /** Null: it has ended, is being submitted, or another worker has claimed it. */
    claimPoll: (taskId: string, owner: string, leaseMs: number) => claimPoll({ taskId, owner, leaseMs }),
    postponePoll: (taskId: string, owner: string, nextPollMs: number) =>
      postponePoll(database, taskId, owner, nextPollMs),
    /** `record`: the task as customers see it after this change. */
    recordPoll: async (task: WorkerVideoTask, update: PollUpdate, record: unknown): Promise<WorkerVideoTask | null> => {
      const poll = { taskId: task.taskId, task, update };
      if (!startsRunning(task, update)) return recordQuietPoll(poll);
      return (await recordPolls(database, [{ ...poll, record }])).get(task.taskId) ?? null;
    },
    recordCancelRefused: (task: TaskRevision) => recordCancelRefused(database, task),
    finish: (task: TaskRevision, completion: TaskCompletion, record: unknown) =>
      finishTask(database, task, completion, record),
    find: (taskId: string) => findTaskById(database, taskId),
    overdue: (page: Parameters<typeof overdueTasks>[1]) => overdueTasks(database, page),
    abandoned: (limit: number) => abandonedSubmissions(database, limit),
    expired: (longerThanMs: number, limit: number) => expiredTasks(database, longerThanMs, limit),
    countModerated: (of: Parameters<typeof countModeratedTasks>[1]) => countModeratedTasks(database, of),
    countOpen: () => countOpenTasks(database),
    countOpenByChannel: () => countOpenByChannel(database),
    usualDurationMs: (model: string) => usualDurationMs(database, model),
    knownUpstreamTasks: (channelId: string, upstreamTaskIds: readonly string[]) =>
      knownUpstreamTasks(database, channelId, upstreamTaskIds),
    rivalSubmissions: (submission: Parameters<typeof rivalSubmissions>[1]) => rivalSubmissions(database, submission),
    readKeySpending: (keyId: string) => readKeySpending(database, keyId),
  };
};

export type TaskStore = ReturnType<typeof openTaskStore>;
