import { type Sql, sql } from '../sql.js';

/**
 * The column `gone_files` of a task's row: the files of its content that were deleted, have expired or were lost at their
 * vendor. A file that still waits to be fetched is not gone.
 */
export const goneFiles: Sql = sql`ARRAY(
  SELECT part.file_id FROM unnest(ARRAY[content ->> 'file_id', content ->> 'last_frame_file_id']) AS part (file_id)
  WHERE part.file_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM stored_object AS stored WHERE stored.id = part.file_id AND stored.status = 'ready'
      AND (stored.expires_at IS NULL OR stored.expires_at > clock_timestamp())
  ) AND NOT EXISTS (
    SELECT 1 FROM fetched_result AS result WHERE result.file_id = part.file_id
      AND (result.status = 'pending' OR (result.status = 'passed_on' AND result.source_expires_at > clock_timestamp()))
  )
) AS gone_files`;
