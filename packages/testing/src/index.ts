export {
  AccountClient,
  type Balance,
  type KeyLimits,
  type NewKey,
  type Quote,
  type Reconciliation,
} from './account/account-client.js';
export { Customer, type CustomerOptions, createCustomer } from './account/customer.js';
export { emitEvent } from './account/emit-event.js';
export { goldenFile } from './golden/golden-file.js';
export { encodedForm } from './http/encoded-form.js';
export { callJson, UnexpectedStatus } from './http/json-call.js';
export {
  type FullResponse,
  fullResponse,
  type OpenResponse,
  openResponse,
  type RawRequest,
} from './http/open-response.js';
export { readEvents, type StreamChunk } from './http/read-events.js';
export { sendWithoutReading } from './http/send-without-reading.js';
export { type ReceivedWebhook, WebhookReceiver } from './http/webhook-receiver.js';
export { LedgerInspector, type SettlementRow } from './ledger/ledger-inspector.js';
export { type CommandLine, RedisInspector } from './ledger/redis-inspector.js';
export { MCP_CLIENTS, type McpClient, type McpConnection, textOf } from './mcp/mcp-clients.js';
export { SuiteProxy, type ToolCall } from './mcp/suite-proxy.js';
export { createJpeg, createPng } from './media/create-png.js';
export { framesOf, type Mp3Frame } from './media/mp3-frames.js';
export { leaveVendorSchema, takeContractFaults, watchFetch } from './openapi/contract-watch.js';
export { documentFaults } from './openapi/document-faults.js';
export { isUndescribed } from './openapi/undescribed-routes.js';
export { VendorContract } from './openapi/vendor-contract.js';
export { nanoOf } from './oracle/decimal-nano.js';
export { expectedCost, type PricedModel } from './oracle/price-oracle.js';
export { type SeededRandom, seededRandom } from './random/seeded-random.js';
export {
  type InvoiceUsage,
  type JournalEntry,
  type ReceivedRequest,
  type SimulatedFault,
  SimulatorClient,
  type UpstreamTask,
} from './simulator/simulator-client.js';
export { startTestStack, TestStack } from './stack/start-test-stack.js';
export { S3Server } from './store/s3-server.js';
export { type ReceivedSpan, TraceCollector } from './traces/trace-collector.js';
export { eventually, type WaitOptions } from './wait/eventually.js';
