import { useSearch } from '@tanstack/react-router';
import { useAnswer } from '../session/use-session';

/** The programmes of the mode, and the one that the address names or else the first. */
export function useProgram() {
  const search: { program?: string } = useSearch({ strict: false });
  const programs = useAnswer('programmes.list', { limit: 100 });
  const all = programs.data?.data ?? [];
  const program = all.find(({ id }) => id === search.program) ?? all[0];
  return { programs, all, program };
}
