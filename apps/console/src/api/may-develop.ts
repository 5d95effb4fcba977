import { useSession } from './session.js';

/** Whether the person may cancel, delete and replace. What a role does not include is not offered. */
export function useMayDevelop(): boolean {
  const { role } = useSession();
  return role === 'owner' || role === 'developer';
}
