import type { Database } from '../database.js';
import { batch } from './batcher.js';
import { noteCancelRefused } from './cancel-task.js';
import { findTaskById } from './find-task.js';
import { finishTask, readKeySpending, type TaskCompletion } from './finish-task.js';
import {
  countOpenByChannel,
  countOpenTasks,
  knownUpstreamTasks,
  rivalSubmissions,
  usualDurationMs,
} from './observe-tasks.js';
import { type NewVideoTask, openTask } from './open-task.js';
import {
  claimPolls,
  notePoll,
  noteQuietPolls,
  type PollClaim,
  type PollUpdate,
  postponePoll,
  type SeenPoll,
} from './poll-task.js';
import { type Acceptance, acceptTask, noteAsking, noteSubmitUnknown, type TaskRevision } from './submit-task.js';
import { abandonedSubmissions, overdueTasks, unheardTasks } from './sweep-tasks.js';

/**
 * All that is done to a task, each one statement; looks, of which there are hundreds a second, share theirs. What gives null
 * found the task changed: look at it again.
 */
export const openTaskStore = (database: Database) => {
  const claimPoll = batch((claims: readonly PollClaim[]) => claimPolls(database, claims));
  const noteQuietPoll = batch((polls: readonly SeenPoll[]) => noteQuietPolls(database, polls));
  return {
    open: (task: NewVideoTask, leaseMs: number) => openTask(database, task, leaseMs),
    noteAsking: (task: TaskRevision, channelId: string, leaseMs: number) =>
      noteAsking(database, task, channelId, leaseMs),
    accept: (task: TaskRevision, acceptance: Acceptance) => acceptTask(database, task, acceptance),
    noteSubmitUnknown: (task: TaskRevision, attempts: Acceptance['attempts'], nextLookMs: number) =>
      noteSubmitUnknown(database, task, attempts, nextLookMs),
    /** Null: it has ended, is being submitted, or another is at it. */
    claimPoll: (taskId: string, owner: string, leaseMs: number) => claimPoll({ taskId, owner, leaseMs }),
    postponePoll: (taskId: string, owner: string, nextPollMs: number) =>
      postponePoll(database, taskId, owner, nextPollMs),
    /** `record`: the task as customers see it after this change. */
    notePoll: async (task: TaskRevision, note: PollUpdate, record: unknown) =>
      (await noteQuietPoll({ taskId: task.taskId, version: task.version, note })) ??
      notePoll(database, task, note, record),
    noteCancelRefused: (task: TaskRevision) => noteCancelRefused(database, task),
    finish: (task: TaskRevision, end: TaskCompletion, record: unknown) => finishTask(database, task, end, record),
    find: (taskId: string) => findTaskById(database, taskId),
    overdue: (which: Parameters<typeof overdueTasks>[1]) => overdueTasks(database, which),
    abandoned: (limit: number) => abandonedSubmissions(database, limit),
    unheard: (longerThanMs: number, limit: number) => unheardTasks(database, longerThanMs, limit),
    countOpen: () => countOpenTasks(database),
    countOpenByChannel: () => countOpenByChannel(database),
    usualDurationMs: (model: string) => usualDurationMs(database, model),
    knownUpstreamTasks: (channelId: string, upstreamTaskIds: readonly string[]) =>
      knownUpstreamTasks(database, channelId, upstreamTaskIds),
    rivalSubmissions: (of: Parameters<typeof rivalSubmissions>[1]) => rivalSubmissions(database, of),
    readKeySpending: (keyId: string) => readKeySpending(database, keyId),
  };
};

export type TaskStore = ReturnType<typeof openTaskStore>;
