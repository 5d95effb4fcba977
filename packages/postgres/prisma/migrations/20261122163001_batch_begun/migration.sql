-- Lines up to this one may have begun: whoever continues the batch lets them end.
ALTER TABLE batch ADD COLUMN begun_through INTEGER NOT NULL DEFAULT 0;
