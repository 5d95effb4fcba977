-- What a customer pays in place of the catalogue's price, from a moment on. Rows are never edited: receipts name them.
CREATE TABLE "price_override" (
  "id" BIGSERIAL NOT NULL,
  "account_id" TEXT NOT NULL,
  "model" TEXT NOT NULL,
  "from" TIMESTAMPTZ(3) NOT NULL,
  "per_million" JSONB,
  "long_prompt_per_million" JSONB,
  "reason" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "price_override_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "price_override" ADD CONSTRAINT "price_override_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
CREATE INDEX "price_override_account_id_model_from_idx" ON "price_override" ("account_id", "model", "from");

CREATE TRIGGER "append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "price_override"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
