-- How long its client keeps the files of a video. Null: as long as those of its account.
ALTER TABLE video_task ADD COLUMN retain_seconds integer CHECK (retain_seconds > 0);
