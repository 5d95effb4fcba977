import { FileAddresses } from '@gateway/contracts';
import type { Logger, Metrics } from '@gateway/observability';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { AccountFunds } from './admit/account-funds.service.js';
import { Admit } from './admit/admit.service.js';
import { Escrow } from './admit/escrow.service.js';
import { ModelAccess } from './admit/model-access.service.js';
import { Authenticate } from './authenticate/authenticate.service.js';
import { KeyLookup } from './authenticate/key-lookup.service.js';
import { StoredBatches } from './batches/stored-batches.service.js';
import { KeepContents } from './contents/keep-contents.service.js';
import { Dispatch } from './dispatch/dispatch.service.js';
import { BatchesController } from './endpoints/batches/batches.controller.js';
import { MessageBatchesController } from './endpoints/batches/message-batches.controller.js';
import { QuoteBatch } from './endpoints/batches/quote-batch.service.js';
import { ConversationsController } from './endpoints/conversations/conversations.controller.js';
import { FilesController } from './endpoints/files/files.controller.js';
import { ReceiveUpload } from './endpoints/files/receive-upload.service.js';
import { SendContent } from './endpoints/files/send-content.service.js';
import { GeminiController } from './endpoints/gemini/gemini.controller.js';
import { ImagesEditsController } from './endpoints/images-edits/images-edits.controller.js';
import { JsonController } from './endpoints/json/json.controller.js';
import { ReadRequest } from './endpoints/json/read-request.service.js';
import { LongJson } from './endpoints/long-json.service.js';
import { ModelLists } from './endpoints/models/model-lists.service.js';
import { ModelsController } from './endpoints/models/models.controller.js';
import { ReceiveForms } from './endpoints/receive-forms.service.js';
import { AttachStream } from './endpoints/requests/attach-stream.service.js';
import { FollowRequest } from './endpoints/requests/follow-request.service.js';
import { RequestsController } from './endpoints/requests/requests.controller.js';
import { RespondLater } from './endpoints/requests/respond-later.service.js';
import { SendResult } from './endpoints/requests/send-result.service.js';
import { SharedReads } from './endpoints/requests/shared-reads.service.js';
import { ResponsesSockets } from './endpoints/responses-socket/responses-sockets.service.js';
import { BackgroundResponses } from './endpoints/stored-responses/background-responses.service.js';
import { SendStored } from './endpoints/stored-responses/send-stored.service.js';
import { StoredInteractionsController } from './endpoints/stored-responses/stored-interactions.controller.js';
import { StoredResponsesController } from './endpoints/stored-responses/stored-responses.controller.js';
import { TranscriptionsController } from './endpoints/transcriptions/transcriptions.controller.js';
import { FetchedFiles } from './endpoints/videos/fetched-files.service.js';
import { ReadCreation } from './endpoints/videos/read-creation.service.js';
import { ReadReference } from './endpoints/videos/read-reference.service.js';
import { VideosController } from './endpoints/videos/videos.controller.js';
import { RespondAtEnd } from './endpoints/videos-generations/respond-at-end.service.js';
import { SubmitVideo } from './endpoints/videos-generations/submit-video.service.js';
import { VideoTasksController } from './endpoints/videos-generations/video-tasks.controller.js';
import { VideosGenerationsController } from './endpoints/videos-generations/videos-generations.controller.js';
import { EdgeErrorFilter } from './errors/edge-error.filter.js';
import { RecordRefusals } from './errors/record-refusals.service.js';
import { OpenReads } from './files/open-reads.service.js';
import { StoredFiles } from './files/stored-files.service.js';
import { CancelTask } from './follow-tasks/cancel-task.service.js';
import { OpenWaits } from './follow-tasks/open-waits.service.js';
import { ReadTasks } from './follow-tasks/read-tasks.service.js';
import { StreamEvents } from './follow-tasks/stream-events.service.js';
import { TaskChanges } from './follow-tasks/task-changes.service.js';
import { WaitForTask } from './follow-tasks/wait-for-task.service.js';
import { AbandonedRequests } from './idempotency/abandoned-requests.service.js';
import { IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import { LeftResponses } from './idempotency/left-responses.service.js';
import { ResponseSpill } from './idempotency/response-spill.service.js';
import { KeptRequests } from './keep-requests/kept-requests.service.js';
import { edgeMetrics } from './observability/metrics.js';
import { ReceiveBodies } from './receive/receive-bodies.service.js';
import { receiveLimits } from './receive/receive-limits.js';
import { ReceiveUnidentified } from './receive/receive-unidentified.service.js';
import { EdgeSettlement } from './relay/edge-settlement.service.js';
import { RunningResponses } from './relay/running-responses.service.js';
import { RelayResponse } from './relay-response.service.js';
import type { EdgeResources } from './resources.js';
import { ConversationStore } from './response-state/conversations.service.js';
import { FullAccounts } from './response-state/full-accounts.service.js';
import { ResponseHistory } from './response-state/response-history.service.js';
import { ResponseWriter } from './response-state/response-writer.service.js';
import { StoredRequests } from './response-state/stored-requests.service.js';
import { StoredResponsesReader } from './response-state/stored-responses.service.js';
import { RunDurable } from './run-durable.service.js';
import { RunOnce } from './run-once.service.js';
import { RunRequest } from './run-request.service.js';
import {
  EDGE_CONFIG,
  EDGE_METRICS,
  type EdgeConfig,
  FILE_ADDRESSES,
  FUNDS_CHECK,
  LOGGER,
  STORAGE_CHECK,
} from './tokens.js';

export const CONTROLLERS = [
  JsonController,
  GeminiController,
  ImagesEditsController,
  TranscriptionsController,
  ModelsController,
  VideosGenerationsController,
  VideoTasksController,
  VideosController,
  RequestsController,
  StoredInteractionsController,
  StoredResponsesController,
  ConversationsController,
  BatchesController,
  MessageBatchesController,
  FilesController,
];
const SERVICES = [
  Authenticate,
  KeyLookup,
  ModelAccess,
  Escrow,
  Admit,
  Dispatch,
  RunningResponses,
  EdgeSettlement,
  AbandonedRequests,
  IdempotencyClaims,
  LeftResponses,
  ResponseSpill,
  TaskChanges,
  ReadTasks,
  WaitForTask,
  CancelTask,
  StreamEvents,
  OpenWaits,
  SubmitVideo,
  ReadReference,
  ReadCreation,
  FetchedFiles,
  RespondAtEnd,
  RelayResponse,
  RunRequest,
  RunOnce,
  RunDurable,
  KeptRequests,
  KeepContents,
  StoredBatches,
  FollowRequest,
  SendResult,
  AttachStream,
  SharedReads,
  RespondLater,
  EdgeErrorFilter,
  RecordRefusals,
  AccountFunds,
  ReceiveBodies,
  ReceiveUnidentified,
  ModelLists,
  LongJson,
  QuoteBatch,
  ReceiveForms,
  ConversationStore,
  FullAccounts,
  ResponseHistory,
  ResponseWriter,
  StoredRequests,
  StoredResponsesReader,
  BackgroundResponses,
  SendStored,
  ResponsesSockets,
  ReadRequest,
  ReceiveUpload,
  SendContent,
  StoredFiles,
  OpenReads,
];

export interface EdgeSetup {
  readonly config: EdgeConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: DynamicModule;
  readonly resources: EdgeResources;
}

/** The edge: its endpoints, its stages, and the resources that `main.ts` opened. */
@Module({})
export class AppModule {
  static with({ config, logger, metrics, resources, health }: EdgeSetup): DynamicModule {
    const values: Provider[] = [
      { provide: EDGE_CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: EDGE_METRICS, useValue: edgeMetrics(metrics) },
      { provide: FUNDS_CHECK, useExisting: AccountFunds },
      { provide: STORAGE_CHECK, useExisting: FullAccounts },
      { provide: FILE_ADDRESSES, useValue: new FileAddresses(config.fileSigningSecrets) },
      ...receiveLimits(config),
      ...resources.providers,
    ];
    return { module: AppModule, imports: [health], controllers: CONTROLLERS, providers: [...values, ...SERVICES] };
  }
}
