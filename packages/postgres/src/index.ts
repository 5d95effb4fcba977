export type { AccountRecord } from './accounts/account-record.js';
export { type AccountChange, changeAccount } from './accounts/change-account.js';
export { closeAccount } from './accounts/close-account.js';
export { emptyClosedAccount } from './accounts/empty-closed-account.js';
export { findAccount } from './accounts/find-account.js';
export { type AccountWithBalance, listAccounts } from './accounts/list-accounts.js';
export { type AccountView, endAccountView, findAccountView, openAccountView } from './administrators/account-views.js';
export {
  type AdministratorRecord,
  createAdministrator,
  findAdministrator,
  listAdministrators,
  type NewAdministrator,
  revokeAdministrator,
} from './administrators/administrators.js';
export { countAttempt, removeExpired, resetAttempts } from './attempts/count-attempt.js';
export { isSubjectRemembered, rememberSubject } from './attempts/remember-subject.js';
export {
  AUDIT_ACTORS,
  type AuditEntry,
  type AuditFilter,
  type AuditOutcome,
  beginAudit,
  endAudit,
  listAudit,
  type NewAuditEntry,
  namesOfPeople,
} from './audit/audit-log.js';
export type { BatchClaim, ClaimedBatch, RunningBatch } from './batches/claim-batch.js';
export type { BatchEnd } from './batches/end-batch.js';
export {
  type BatchAccess,
  type BatchPage,
  cancelBatch,
  findBatch,
  listBatches,
  type NewBatch,
} from './batches/find-batch.js';
export { findKeptFiles } from './batches/find-kept-files.js';
export { type BatchReader, type BatchStore, openBatchReader, openBatchStore } from './batches/open-batches.js';
export type { NewSegment, RecordedLines } from './batches/record-lines.js';
export type { BatchBacklog } from './batches/sweep-batches.js';
export { readCappedPeriods } from './caps/read-capped-periods.js';
export {
  type ChannelControlChange,
  changeChannelControl,
  listChannelControls,
  type StoredChannelControl,
} from './channels/channel-controls.js';
export { resealContentKeys } from './contents/content-keys.js';
export { type ContentWriter, openContentWriter } from './contents/open-content-writer.js';
export { type KeptContent, readContent, removeExpiredContents } from './contents/read-content.js';
export type { ContentPart, RequestContent } from './contents/request-content.js';
export { type Database, type DatabaseOptions, openDatabase } from './database.js';
export { isDatabaseUnavailable, isInvalidDataError, isReplyLost } from './database-failure.js';
export {
  type Activation,
  activateEpoch,
  activeEpochs,
  type EpochStep,
  followEpoch,
  formerEpoch,
  nextEpoch,
  retireFormerEpoch,
} from './epochs/epochs.js';
export { type EscrowOutcome, type EscrowRequest, grantEscrow } from './escrow/grant-escrow.js';
export {
  type ClosedReturn,
  closeEscrowReturn,
  type OpenReturn,
  openEscrowReturns,
  openReturns,
} from './escrow/return-escrow.js';
export { markDelivered, type UndeliveredGrant, undeliveredGrants } from './escrow/undelivered-grants.js';
export { type EventQuery, eventsAfter, lastEventId } from './events/events-after.js';
export { removeExpiredEvents } from './events/remove-expired-events.js';
export {
  acceptInvitation,
  findInvitation,
  type NewMemberPerson,
  type OpenInvitation,
} from './invitations/accept-invitation.js';
export {
  createInvitation,
  type InvitationRecord,
  listInvitations,
  type NewInvitation,
  resendInvitation,
  revokeInvitation,
} from './invitations/invitations.js';
export type { ApiKeyRecord, ApiKeySettings } from './keys/api-key-record.js';
export { type ChangedKey, changeKey, type RevokedKey, revokeKey } from './keys/change-key.js';
export {
  type ChildLimits,
  type ChildOutcome,
  closeChildKey,
  createChildKey,
  listEndedChildren,
  type NewChildKey,
} from './keys/child-keys.js';
export { createKey, type NewApiKey } from './keys/create-key.js';
export {
  countKeys,
  findKey,
  hasHadKey,
  type KeyOwner,
  listHashesBelow,
  listHashesOfLine,
  listKeyHashes,
  listKeys,
  namesOfKeys,
} from './keys/find-key.js';
export { findKeyBySha256 } from './keys/find-key-by-sha256.js';
export { isBelow, type KeyTree, type KeyTreeNode, type KeyTreePage, readKeyTree } from './keys/key-tree.js';
export { type KeyReader, openKeyReader } from './keys/open-key-reader.js';
export { rotateKey } from './keys/rotate-key.js';
export { type LedgerBalances, readLedgerBalances } from './ledger/balance.js';
export { checkLedger, type LedgerCheck, type LedgerSums, sumLedger } from './ledger/check-ledger.js';
export { LEDGER_KINDS, type LedgerLine, listLedger } from './ledger/list-ledger.js';
export { listPostings, type Posting } from './ledger/list-postings.js';
export { type CreditOutcome, type NewCredit, postCredit } from './ledger/post-credit.js';
export { type Reversal, readSpendingOfRequest, reverseTransaction } from './ledger/reverse-transaction.js';
export { enqueueMail } from './mail/enqueue-mail.js';
export { MAIL_KINDS, type MailDetails, type MailKind, type NewMail } from './mail/mail-record.js';
export { type LinkFault, readLinkFault } from './mail/read-link-fault.js';
export {
  type ClaimedMail,
  claimMail,
  mailDelayMs,
  markMailFailed,
  markMailSent,
  removeExpiredMails,
} from './mail/send-mail.js';
export { type MailSecret, redeemMail, type UsedMail } from './mail/use-mail.js';
export { applyMigrations } from './migrate/apply-migrations.js';
export { type DatabaseDescription, describeDatabase } from './migrate/describe-database.js';
export { analyzeMonths, type MonthState, makeMonthPartitions, readMonthState } from './months/month-partitions.js';
export { deleteObject, deleteResults } from './objects/delete-object.js';
export {
  findObject,
  listObjects,
  type ObjectAccess,
  type ObjectQuery,
  type ResultSource,
} from './objects/find-object.js';
export { openStoredObjects, type StoredObjects } from './objects/open-stored-objects.js';
export type { NewObject } from './objects/reserve-object.js';
export {
  changeMemberCaps,
  changeMemberRole,
  type MemberOutcome,
  removeMember,
} from './people/change-member.js';
export { changeEmail, changePassword, changePerson, confirmPerson } from './people/change-person.js';
export { countKeysOfMembers, findMember, findRoleOfKey, listMembers } from './people/find-member.js';
export { findPerson, findPersonByEmail } from './people/find-person.js';
export { listOrganisations, type Organisation } from './people/list-organisations.js';
export type { MemberOfAccount, MemberRecord } from './people/member-record.js';
export type { PersonRecord } from './people/person-record.js';
export { type NewOrganisation, type NewPerson, openOrganisation, registerPerson } from './people/register-person.js';
export {
  addPriceOverride,
  listPriceOverrides,
  type NewPriceOverride,
  type StoredPriceOverride,
} from './prices/price-overrides.js';
export { recentReads } from './recent-reads.js';
export {
  accountsWithEscrow,
  type EscrowPosition,
  escrowPositions,
  mirrorEscrow,
} from './reconcile/escrow-positions.js';
export {
  type FindingPage,
  type FindingRecord,
  listBelowCost,
  listParkedEvents,
  listRefundedCharges,
  listTasksWithoutReceipt,
  listUnbookedTaskHolds,
} from './reconcile/list-findings.js';
export type { ClaimedRow, NewClaim, RequestClaim } from './requests/claim-request.js';
export type { OwnedRequest } from './requests/durable-request-row.js';
export type { RequestDecision } from './requests/end-request.js';
export { findRequest, type RequestAccess, requestCancellation } from './requests/find-request.js';
export { listRequests, type RequestPage } from './requests/list-requests.js';
export {
  openRequestReader,
  openRequestStore,
  type RequestReader,
  type RequestStore,
} from './requests/open-request-store.js';
export type { RequestBacklog } from './requests/sweep-requests.js';
export type { ItemPage } from './response-state/conversation-items.js';
export type { NewConversation, StoredConversation } from './response-state/conversations.js';
export type { ResponseChain, StateAccess, StoredAnswer, StoredTurn } from './response-state/find-response.js';
export {
  type Conversations,
  openResponseState,
  type ResponseState,
  responseStateIn,
  type StoredResponses,
} from './response-state/open-response-state.js';
export type { EndedResponse, PendingResponse } from './response-state/pending-response.js';
export type { FinishedResponse, StateItem } from './response-state/record-response.js';
export { removeExpiredState } from './response-state/remove-expired-state.js';
export { openResponseStore, type ResponseStore, removeExpiredResponses } from './responses/open-response-store.js';
export { listResultOrigins, type ResultOrigin } from './results/list-result-origins.js';
export {
  type ClaimedResult,
  type FetchedResults,
  type NewImageResult,
  openFetchedResults,
  type ResultClaim,
  type ResultEnd,
} from './results/open-fetched-results.js';
export { endOtherSessions, endSession, listSessions, type SessionRecord } from './sessions/list-sessions.js';
export {
  chooseOrganisation,
  closeSession,
  type FoundSession,
  findSession,
  openSession,
  touchSession,
} from './sessions/session.js';
export { findSettlement, isSettled, type SettlementRecord } from './settlements/find-settlement.js';
export {
  countSettlements,
  listSettlements,
  type SettlementFilter,
  type SettlementPage,
} from './settlements/list-settlements.js';
export { countParkedEvents, parkEvent } from './settlements/park-event.js';
export {
  entryIdOf,
  type RecordableSettlement,
  type RecordOutcome,
  recordSettlements,
} from './settlements/record-settlements.js';
export {
  listRepeatedCharges,
  type Refund,
  type RepeatedCharge,
  refundRepeatedCharge,
} from './settlements/repeated-charges.js';
export { type HeldShards, holdShards, releaseShards } from './shards/hold-shards.js';
export { keepLedgerMonths } from './statements/ledger-months.js';
export {
  type MarginLine,
  type MarginQuery,
  type MarginSums,
  marginReport,
} from './statements/margin-report.js';
export { type ModelLatency, type ModelOutcomes, modelLatencies, modelOutcomes } from './statements/model-health.js';
export { type ModelCharges, recordedCharges, statementCharges } from './statements/statement-charges.js';
export { statementLines } from './statements/statement-lines.js';
export { listStatementMonths, type MonthSummary } from './statements/statement-months.js';
export { type StatementTotals, statementTotals } from './statements/statement-totals.js';
export { keepUsageDays } from './statements/usage-days.js';
export {
  USAGE_DIMENSIONS,
  USAGE_PERIODS,
  type UsageGroup,
  type UsageLine,
  usageStatement,
} from './statements/usage-statement.js';
export {
  type AccountStorage,
  changeRetention,
  type RetentionChange,
  readAccountStorage,
} from './storage/account-storage.js';
export { requestCancel } from './tasks/cancel-task.js';
export { findTask, type TaskAccess } from './tasks/find-task.js';
export type { TaskCompletion } from './tasks/finish-task.js';
export {
  listOpenTasks,
  type OpenTaskQuery,
  type OpenTaskRecord,
  TASK_PROBLEMS,
  type TaskProblem,
} from './tasks/list-open-tasks.js';
export { listTasks, type TaskCursor, type TaskQuery } from './tasks/list-tasks.js';
export { type TaskCount, usualDurationMs } from './tasks/observe-tasks.js';
export type { NewVideoTask, OpenedTask } from './tasks/open-task.js';
export { type PollUpdate, taskAfterPoll } from './tasks/record-polls.js';
export type { Acceptance, TaskRevision } from './tasks/submit-task.js';
export type { OverdueTask } from './tasks/sweep-tasks.js';
export { adoptOrphanTaskHolds, checkTaskHolds, type TaskHoldCheck } from './tasks/task-holds.js';
export { openTaskReader, type TaskReader } from './tasks/task-reader.js';
export { openTaskStore, type TaskStore } from './tasks/task-store.js';
export { taskTimeMs, type WorkerVideoTask } from './tasks/video-task-row.js';
export {
  BILL_ITEM_STATES,
  type ComparedItem,
  compareItems,
  type RecordedLine,
  recordedByDayAndModel,
} from './vendor-bills/compare-vendor-bill.js';
export {
  addVendorBillItems,
  beginVendorBill,
  endVendorBill,
  findVendorBill,
  listVendorBillLines,
  listVendorBills,
  type NewVendorBill,
  removeVendorBill,
  type VendorBillItem,
  type VendorBillLine,
  type VendorBillRecord,
  type VendorBillSums,
} from './vendor-bills/vendor-bills.js';
export { type ClaimedDelivery, type ClaimLimits, claimDeliveries } from './webhooks/claim-deliveries.js';
export {
  type CreatedEndpoint,
  cancelOrphanedDeliveries,
  changeWebhookEndpoint,
  createWebhookEndpoint,
  type DisabledReason,
  type EndpointChange,
  enableWebhookEndpoint,
  endWebhookEndpoint,
  findWebhookEndpoint,
  listWebhookEndpoints,
  type NewWebhookEndpoint,
  sendTestEvent,
  type WebhookEndpointRecord,
} from './webhooks/endpoints.js';
export {
  ENDPOINT_STATES,
  type EndpointState,
  listAllEndpoints,
  type OwnedEndpoint,
} from './webhooks/list-all-endpoints.js';
export {
  DELIVERY_STATES,
  type DeliveryQuery,
  type DeliveryState,
  findDelivery,
  listDeliveries,
  type WebhookAttemptRecord,
  type WebhookDeliveryDetails,
  type WebhookDeliveryRecord,
} from './webhooks/list-deliveries.js';
export {
  type DeliveryFilter,
  REPLAYABLE,
  type Replayable,
  type ReplayOutcome,
  type ReplayRate,
  type ReplayResult,
  replayDeliveries,
  replayDelivery,
} from './webhooks/replay-deliveries.js';
export {
  type AttemptOutcome,
  type AttemptReport,
  type DisablePolicy,
  reportAttempt,
} from './webhooks/report-attempt.js';
export type { ResealResult } from './webhooks/reseal-rows.js';
export { resealSecrets } from './webhooks/reseal-secrets.js';
export { isSealBroken, type SecretSeal, secretSeal } from './webhooks/secret-seal.js';
export {
  createFirstSecret,
  listWebhookSecrets,
  type RotatedSecret,
  rotateSecret,
  signingSecrets,
  type WebhookSecretRecord,
} from './webhooks/secrets.js';
export { type WebhookBacklog, webhookBacklog } from './webhooks/webhook-backlog.js';
