import type { RequestOrigin } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { RequestStore } from '@gateway/postgres';
import type { AdmissionStore, LiveResponses, Settler } from '@gateway/redis';
import type { ObjectStore } from '@gateway/store';
import type { Provider } from '@nestjs/common';
import type { WorkerMetrics } from '../observability/metrics.js';
import {
  ADMISSION_STORE,
  LIVE_RESPONSES,
  LOGGER,
  OBJECT_STORE,
  REQUEST_ORIGIN,
  REQUEST_STORE,
  SETTLER,
  WORKER_CONFIG,
  WORKER_METRICS,
  type WorkerConfig,
} from '../tokens.js';
import { BackgroundResponses } from './background-responses.service.js';
import { EndStoredRequest } from './end-stored-request.service.js';
import { OriginByAddress } from './origin-by-address.js';
import type { QueueAgain } from './queue-again.js';
import { RecoverRequests } from './recover-requests.service.js';
import { StoredRequests } from './stored-requests.service.js';

/** What a worker opens to keep results. */
export interface KeptResources {
  readonly requests: RequestStore;
  readonly objects: ObjectStore;
  readonly queueAgain: QueueAgain;
  readonly live: LiveResponses;
}

/** Without resources, this worker runs the requests of edges only. */
export function originProviders(edges: RequestOrigin, kept: KeptResources | undefined): Provider[] {
  if (kept === undefined) return [{ provide: REQUEST_ORIGIN, useValue: edges }];
  return [
    { provide: REQUEST_STORE, useValue: kept.requests },
    { provide: OBJECT_STORE, useValue: kept.objects },
    { provide: LIVE_RESPONSES, useValue: kept.live },
    BackgroundResponses,
    EndStoredRequest,
    StoredRequests,
    {
      provide: REQUEST_ORIGIN,
      useFactory: (stored: StoredRequests) => new OriginByAddress(edges, stored),
      inject: [StoredRequests],
    },
    {
      provide: RecoverRequests,
      useFactory: (
        ending: EndStoredRequest,
        admission: AdmissionStore,
        settler: Settler,
        { vendors }: WorkerConfig,
        metrics: WorkerMetrics,
        logger: Logger,
      ) => {
        const onRecovered = (action: string): void => metrics.recoveredRequests.inc({ action });
        return new RecoverRequests({ ...kept, admission, settler, vendors, onRecovered, logger }, ending);
      },
      inject: [EndStoredRequest, ADMISSION_STORE, SETTLER, WORKER_CONFIG, WORKER_METRICS, LOGGER],
    },
  ];
}
