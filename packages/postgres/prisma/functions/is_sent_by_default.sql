-- What an endpoint without a filter of its own gets, and a task's own address: everything but the steps on the way.
CREATE OR REPLACE FUNCTION is_sent_by_default(p_type text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_type NOT IN ('video.task.queued', 'video.task.running')
$$;
