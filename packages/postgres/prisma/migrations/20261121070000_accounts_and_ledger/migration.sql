-- CreateTable
CREATE TABLE "account" (
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "password_hash" TEXT,
    "requests_per_minute" INTEGER,
    "concurrency" INTEGER,
    "escrow_sequence" BIGINT NOT NULL DEFAULT 0,
    "suspended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL DEFAULT false,
    "models" TEXT[],
    "endpoints" TEXT[],
    "allowed_ips" TEXT[],
    "requests_per_minute" INTEGER,
    "concurrency" INTEGER,
    "spend_cap_nano_usd" BIGINT,
    "spent_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "token_sha256" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("token_sha256")
);

-- CreateTable
CREATE TABLE "attempt_window" (
    "subject" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempt_window_pkey" PRIMARY KEY ("subject")
);

-- CreateTable
CREATE TABLE "ledger_account" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" TEXT,

    CONSTRAINT "ledger_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_transaction" (
    "id" BIGSERIAL NOT NULL,
    "reference" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_transaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" BIGSERIAL NOT NULL,
    "transaction_id" BIGINT NOT NULL,
    "ledger_account_id" BIGINT NOT NULL,
    "amount_nano_usd" BIGINT NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_balance" (
    "ledger_account_id" BIGINT NOT NULL,
    "balance_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "ledger_balance_pkey" PRIMARY KEY ("ledger_account_id")
);

-- CreateTable
CREATE TABLE "escrow_grant" (
    "account_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "epoch" BIGINT NOT NULL,
    "amount_nano_usd" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivered_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),

    CONSTRAINT "escrow_grant_pkey" PRIMARY KEY ("account_id","sequence")
);

-- CreateTable
CREATE TABLE "redis_epoch" (
    "epoch" BIGSERIAL NOT NULL,
    "activations" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "redis_epoch_pkey" PRIMARY KEY ("epoch")
);

-- CreateTable
CREATE TABLE "settlement" (
    "request_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "hold_nano_usd" BIGINT NOT NULL,
    "cost_nano_usd" BIGINT NOT NULL,
    "price_version" TEXT NOT NULL,
    "unit_prices" JSONB NOT NULL,
    "units" JSONB NOT NULL,
    "is_estimated" BOOLEAN NOT NULL,
    "error_code" TEXT,
    "attempts" JSONB NOT NULL,
    "schema_version" INTEGER NOT NULL,
    "admitted_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "first_byte_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3) NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "stream_entry_id" TEXT NOT NULL,
    "epoch" BIGINT NOT NULL,

    CONSTRAINT "settlement_pkey" PRIMARY KEY ("request_id")
);

-- CreateTable
CREATE TABLE "parked_event" (
    "stream_entry_id" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "parked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "parked_event_pkey" PRIMARY KEY ("stream_entry_id")
);

-- CreateTable
CREATE TABLE "credit" (
    "reference" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amount_nano_usd" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "transaction_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "credit_pkey" PRIMARY KEY ("reference")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_email_key" ON "account"("email");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_sha256_key" ON "api_key"("sha256");

-- CreateIndex
CREATE INDEX "api_key_account_id_created_at_idx" ON "api_key"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "session_account_id_idx" ON "session"("account_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "attempt_window_ends_at_idx" ON "attempt_window"("ends_at");

-- CreateIndex
CREATE INDEX "ledger_account_account_id_idx" ON "ledger_account"("account_id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transaction_reference_key" ON "ledger_transaction"("reference");

-- CreateIndex
CREATE INDEX "ledger_transaction_account_id_id_idx" ON "ledger_transaction"("account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "ledger_entry_transaction_id_idx" ON "ledger_entry"("transaction_id");

-- CreateIndex
CREATE INDEX "ledger_entry_ledger_account_id_id_idx" ON "ledger_entry"("ledger_account_id", "id" DESC);

-- CreateIndex
CREATE INDEX "settlement_account_id_settled_at_idx" ON "settlement"("account_id", "settled_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "credit_transaction_id_key" ON "credit"("transaction_id");

-- CreateIndex
CREATE INDEX "credit_account_id_idx" ON "credit"("account_id");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ledger_account" ADD CONSTRAINT "ledger_account_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transaction"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_ledger_account_id_fkey" FOREIGN KEY ("ledger_account_id") REFERENCES "ledger_account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ledger_balance" ADD CONSTRAINT "ledger_balance_ledger_account_id_fkey" FOREIGN KEY ("ledger_account_id") REFERENCES "ledger_account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "escrow_grant" ADD CONSTRAINT "escrow_grant_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "credit" ADD CONSTRAINT "credit_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "credit" ADD CONSTRAINT "credit_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transaction"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

