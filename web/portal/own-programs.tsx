import { useAnswer } from '../session/use-session';
import { text } from '../text/en';
import { Filter } from '../ui/filters';

/** The programmes that one is or was in, of the mode. */
export const useOwnPrograms = () => useAnswer('partnerPortal.listPrograms', { limit: 100 });

/** Narrows a page to one programme, where there are several. */
export function OwnPrograms() {
  const all = useOwnPrograms().data?.data ?? [];
  if (all.length < 2) return null;
  return (
    <Filter
      call="partnerPortal.listCommissions"
      field="programId"
      name="program"
      label={text.program}
      options={all.map(({ programId, programName }) => [programId, programName] as const)}
    />
  );
}
