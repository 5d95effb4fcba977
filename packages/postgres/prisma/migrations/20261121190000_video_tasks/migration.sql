-- CreateTable
CREATE TABLE "video_task" (
    "id" TEXT NOT NULL,
    "public_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "model" TEXT NOT NULL,
    "vendor" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "channel_id" TEXT,
    "upstream_task_id" TEXT,
    "duration_seconds" INTEGER NOT NULL,
    "resolution" TEXT NOT NULL,
    "aspect_ratio" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "price_version" TEXT NOT NULL,
    "unit_prices" JSONB NOT NULL,
    "hold_nano_usd" BIGINT NOT NULL,
    "hold_entry_id" TEXT,
    "cost_nano_usd" BIGINT,
    "prompt" TEXT,
    "webhook_url" TEXT,
    "idempotency_key" TEXT,
    "idempotency_fingerprint" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "asked_at" TIMESTAMPTZ(3),
    "submitted_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "progress" INTEGER,
    "content" JSONB,
    "usage" JSONB,
    "seed" BIGINT,
    "error" JSONB,
    "upstream" JSONB,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "cancel_requested_at" TIMESTAMPTZ(3),
    "cancel_outcome" TEXT,
    "poll_number" INTEGER NOT NULL DEFAULT 0,
    "poll_failures" INTEGER NOT NULL DEFAULT 0,
    "doubts" INTEGER NOT NULL DEFAULT 0,
    "doubted_at" TIMESTAMPTZ(3),
    "next_poll_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "lease_owner" TEXT,

    CONSTRAINT "video_task_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "video_task_request_id_key" ON "video_task"("request_id");

-- CreateIndex
CREATE UNIQUE INDEX "video_task_account_id_is_test_idempotency_key_key" ON "video_task"("account_id", "is_test", "idempotency_key");

-- CreateIndex
CREATE INDEX "video_task_account_id_public_id_idx" ON "video_task"("account_id", "public_id");

-- CreateIndex
CREATE INDEX "video_task_account_id_created_at_id_idx" ON "video_task"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "video_task_channel_id_upstream_task_id_idx" ON "video_task"("channel_id", "upstream_task_id");

-- CreateIndex
CREATE INDEX "video_task_model_finished_at_idx" ON "video_task"("model", "finished_at" DESC);

-- AddForeignKey
ALTER TABLE "video_task" ADD CONSTRAINT "video_task_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
