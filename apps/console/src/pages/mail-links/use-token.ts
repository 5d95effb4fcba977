import { useSearch } from '@tanstack/react-router';

/** The code of the link, if the address has one. */
export function useToken(): string | null {
  const { token } = useSearch({ strict: false }) as { readonly token?: string };
  return token === undefined || token.trim() === '' ? null : token.trim();
}
