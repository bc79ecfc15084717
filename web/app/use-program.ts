import { useSearch } from '@tanstack/react-router';
import { useApi } from '../session/use-session';
import type { Paged } from '../ui/table';
import type { Program } from '../session/records';

/** The programmes of the mode, and the one that the address names or else the first. */
export function useProgram() {
  const search: { program?: string } = useSearch({ strict: false });
  const programs = useApi<Paged<Program>>('/api/v1/programs', { limit: 100 });
  const all = programs.data?.data ?? [];
  const program = all.find(({ id }) => id === search.program) ?? all[0];
  return { programs, all, program };
}
