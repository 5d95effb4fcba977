import type { ApiEdgeConfig } from '@gateway/config';
import { memoryLimitBytes } from '@gateway/observability';
import { TokenBuckets, UnidentifiedClients } from '@gateway/serving';
import type { Provider } from '@nestjs/common';
import {
  BODY_ROOM,
  READ_PACE,
  REFUSAL_COUNTER,
  REFUSALS,
  REQUEST_ROOM,
  UNIDENTIFIED_REFUSED,
  UNIDENTIFIED_SERVED,
  UNKNOWN_KEYS,
} from '../tokens.js';
import { BodyRoom } from './body-room.js';
import { ReadPace } from './read-pace.js';
import { ReceiveBodies } from './receive-bodies.service.js';
import { ADDRESS_FACTOR, Refusals } from './refusals.js';

/** The rest is for the heap, and for the largest body once more while it is put together. */
const SHARE_FOR_BODIES = 0.4;
/** Half a minute of unknown keys at the rate that refills the bucket. */
const UNKNOWN_KEYS_SECONDS = 30;

type Limits = Pick<
  ApiEdgeConfig,
  'bodyRoomBytes' | 'uploadRoomBytes' | 'refusalsPerSecond' | 'readsPerSecond' | 'unknownKeysPerSecond'
>;

/** What this process grants before it reads a body. */
export function receiveLimits(limits: Limits): Provider[] {
  const memory = limits.bodyRoomBytes ?? Math.floor(memoryLimitBytes() * SHARE_FOR_BODIES);
  const { unknownKeysPerSecond: perSecond } = limits;
  return [
    { provide: BODY_ROOM, useValue: new BodyRoom({ memory, disk: limits.uploadRoomBytes }) },
    { provide: REFUSALS, useValue: new Refusals(limits.refusalsPerSecond) },
    { provide: READ_PACE, useValue: new ReadPace(limits.readsPerSecond) },
    { provide: UNIDENTIFIED_REFUSED, useValue: new UnidentifiedClients(limits.refusalsPerSecond * ADDRESS_FACTOR) },
    { provide: UNIDENTIFIED_SERVED, useValue: new UnidentifiedClients(limits.readsPerSecond) },
    { provide: UNKNOWN_KEYS, useValue: new TokenBuckets({ capacity: perSecond * UNKNOWN_KEYS_SECONDS, perSecond }) },
    { provide: REFUSAL_COUNTER, useExisting: ReceiveBodies },
    { provide: REQUEST_ROOM, useExisting: ReceiveBodies },
  ];
}
