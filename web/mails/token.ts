import { useSearch } from '@tanstack/react-router';

/** The token of the link. It is sent when a button is pressed: opening a link changes nothing. */
export function useToken(): string {
  const { token }: { token?: string } = useSearch({ strict: false });
  return token ?? '';
}
