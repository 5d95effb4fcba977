-- The models of the responses that belong to a conversation. A key that is limited to other models does not see it.
ALTER TABLE conversation ADD COLUMN models TEXT[] NOT NULL DEFAULT '{}';

UPDATE conversation SET models = known.models
FROM (SELECT conversation_id, array_agg(DISTINCT model) AS models FROM stored_response GROUP BY conversation_id) AS known
WHERE known.conversation_id = conversation.id;
