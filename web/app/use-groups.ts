import { useAnswer } from '../session/use-session';

/** All groups of a programme: there are a hundred at most. */
export function useGroups(programId: string) {
  return useAnswer('groups.list', { programId, limit: 100 });
}
