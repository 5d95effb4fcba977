export { AnnouncementGone, isObjectMissing, isStoreFull, ObjectMissing, StoreFull } from './failures.js';
export { measureOperations } from './measure-operations.js';
export type { ByteRange, ObjectStore, StoreOperation, StreamedObject } from './object-store.js';
export { openStore, type StoreLocation, type StoreOptions } from './open-store.js';
export { putAnnounced } from './put-announced.js';
