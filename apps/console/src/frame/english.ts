import type { Messages } from '@lingui/core';

/** English as far as it is loaded: every module with messages adds its own. */
export const ENGLISH: Messages = {};

/** @public The code that the build adds calls it. */
export function addEnglish(messages: Messages): void {
  Object.assign(ENGLISH, messages);
}
