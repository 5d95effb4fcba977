-- Answers under an idempotency key that are too large for Redis, in pieces, until their time is over. What is in them is compressed
-- already, or is text of pictures that does not compress: nobody tries.
CREATE TABLE "kept_answer_piece" (
  "request_id" TEXT NOT NULL,
  "number" INTEGER NOT NULL,
  "bytes" BYTEA NOT NULL,
  "kept_until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "kept_answer_piece_pkey" PRIMARY KEY ("request_id", "number")
);

ALTER TABLE "kept_answer_piece" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
CREATE INDEX "kept_answer_piece_kept_until_idx" ON "kept_answer_piece" ("kept_until");
