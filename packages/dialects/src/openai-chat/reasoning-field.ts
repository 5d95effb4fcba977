import { answerForm } from './answer-form.js';

/**
 * Answers for a client of OpenRouter's form, which reads `reasoning` instead of `reasoning_content`. Both stay: other clients of
 * this form read the first one.
 */
export const reasoningForm = answerForm({
  message: (message) =>
    typeof message.reasoning_content === 'string' ? { ...message, reasoning: message.reasoning_content } : message,
});
