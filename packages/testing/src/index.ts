export {
  AccountClient,
  type Balance,
  type KeyLimits,
  type NewKey,
  type Reconciliation,
} from './account/account-client.js';
export { Customer, type CustomerOptions, createCustomer } from './account/customer.js';
export { type SeededRandom, seededRandom } from './chance/seeded-random.js';
export { encodedForm } from './http/encoded-form.js';
export { callJson, UnexpectedStatus } from './http/json-call.js';
export { type OpenAnswer, openAnswer, type RawRequest, type WholeAnswer, wholeAnswer } from './http/open-answer.js';
export { readEvents, type StreamPiece } from './http/read-events.js';
export { type Received, WebhookReceiver } from './http/webhook-receiver.js';
export { Books, type SettlementRow } from './ledger/books.js';
export { type CommandLine, RedisSide } from './ledger/redis-side.js';
export { madePng } from './media/made-pictures.js';
export { framesOf, type Mp3Frame } from './media/mp3-frames.js';
export { nanoOf } from './oracle/decimal-nano.js';
export { expectedCost, type PricedModel } from './oracle/price-oracle.js';
export {
  type InvoiceUsage,
  type JournalEntry,
  type ReceivedRequest,
  SimulatorClient,
  type UpstreamTask,
  type VendorFault,
} from './simulator/simulator-client.js';
export { startTestStack, TestStack } from './stack/start-test-stack.js';
export { eventually, type Patience } from './wait/eventually.js';
