-- Each look leaves an old version of an open task behind. These are cleared away when they are a fifth of the table, of which most has
-- ended and never changes: with ten million tasks, when each of a hundred thousand that are open has left twenty. With five of each,
-- counting the open ones took three times as long.
ALTER TABLE "video_task" SET (autovacuum_vacuum_scale_factor = 0.02);
