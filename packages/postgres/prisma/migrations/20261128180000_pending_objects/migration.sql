-- An object of the store is written before the row that names it. This row says so first, so that a sweep finds the object of a process
-- that died in between. The statement that adds the naming row removes it. Edges of the former release add rows to pending_body instead;
-- their bodies are swept as before.
CREATE TABLE pending_object (
  key TEXT NOT NULL,
  due_at TIMESTAMPTZ(3) NOT NULL,
  is_taken BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT pending_object_pkey PRIMARY KEY (key)
);
