export {
  AnnouncementGone,
  isObjectMissing,
  isStoreFull,
  ObjectDamaged,
  ObjectMissing,
  StoreFull,
} from './failures.js';
export { measureOperations } from './measure-operations.js';
export type { ByteRange, ObjectStore, StoreOperation, StreamedObject, WholeObject } from './object-store.js';
export { openStore, type StoreLocation, type StoreOptions } from './open-store.js';
export { putAnnounced } from './put-announced.js';
