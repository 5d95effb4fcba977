import type { Logger, Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { Admit } from './admit/admit.service.js';
import { Escrow } from './admit/escrow.service.js';
import { ModelAccess } from './admit/model-access.service.js';
import { AnswerOnce } from './answer-once/answer-once.service.js';
import { ShelveAnswers } from './answer-once/shelve-answers.service.js';
import { Authenticate } from './authenticate/authenticate.service.js';
import { KeyReader } from './authenticate/key-directory.service.js';
import { Dispatch } from './dispatch/dispatch.service.js';
import { EDGE_CONFIG, type EdgeConfig } from './edge-config.js';
import type { EdgeDoors } from './edge-doors.js';
import { EDGE_METRICS, edgeMetrics } from './edge-metrics.js';
import { AudioSpeechController } from './endpoints/audio-speech/audio-speech.controller.js';
import { ChatCompletionsController } from './endpoints/chat-completions/chat-completions.controller.js';
import { EmbeddingsController } from './endpoints/embeddings/embeddings.controller.js';
import { ImagesEditsController } from './endpoints/images-edits/images-edits.controller.js';
import { ImagesGenerationsController } from './endpoints/images-generations/images-generations.controller.js';
import { MessagesController } from './endpoints/messages/messages.controller.js';
import { ModelsController } from './endpoints/models/models.controller.js';
import { AnswerAtEnd } from './endpoints/videos-generations/answer-at-end.service.js';
import { VideoTasksController } from './endpoints/videos-generations/video-tasks.controller.js';
import { VideosGenerationsController } from './endpoints/videos-generations/videos-generations.controller.js';
import { CancelTask } from './follow-tasks/cancel-task.service.js';
import { Listeners } from './follow-tasks/listeners.service.js';
import { ReadTasks } from './follow-tasks/read-tasks.service.js';
import { StreamEvents } from './follow-tasks/stream-events.service.js';
import { TaskChanges } from './follow-tasks/task-changes.service.js';
import { WaitForTask } from './follow-tasks/wait-for-task.service.js';
import { LOGGER } from './observability-doors.js';
import { RefuseFilter } from './refuse/refuse.filter.js';
import { EdgeSettlement } from './relay/edge-settlement.service.js';
import { RunningAnswers } from './relay/running-answers.service.js';
import { RunOnce } from './run-once.service.js';
import { RunRequest } from './run-request.service.js';

const ENDPOINTS = [
  AudioSpeechController,
  ChatCompletionsController,
  EmbeddingsController,
  ImagesEditsController,
  ImagesGenerationsController,
  MessagesController,
  ModelsController,
  VideosGenerationsController,
  VideoTasksController,
];
const STAGES = [
  Authenticate,
  KeyReader,
  ModelAccess,
  Escrow,
  Admit,
  Dispatch,
  RunningAnswers,
  EdgeSettlement,
  AnswerOnce,
  ShelveAnswers,
  TaskChanges,
  ReadTasks,
  WaitForTask,
  CancelTask,
  StreamEvents,
  Listeners,
  AnswerAtEnd,
  RunRequest,
  RunOnce,
  RefuseFilter,
];

export interface EdgeSetup {
  readonly config: EdgeConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: DynamicModule;
  readonly doors: EdgeDoors;
}

/** The edge: its endpoints, its stages, and the doors that it was given. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, doors, health }: EdgeSetup): DynamicModule {
    const given: Provider[] = [
      { provide: EDGE_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: EDGE_METRICS, useValue: edgeMetrics(metrics) },
      ...doors.providers,
    ];
    return { module: AppModule, imports: [health], controllers: ENDPOINTS, providers: [...given, ...STAGES] };
  }
}
