import type { PartnerProgram } from '../session/records';
import { useApi } from '../session/use-session';
import { text } from '../text/en';
import { Filter, type Paged } from '../ui/table';

/** The programmes that one is or was in, of the mode. */
export const useOwnPrograms = () =>
  useApi<Paged<PartnerProgram>>('/api/v1/partner/programs', { limit: 100 });

/** Narrows a page to one programme, where there are several. */
export function OwnPrograms() {
  const all = useOwnPrograms().data?.data ?? [];
  if (all.length < 2) return null;
  return (
    <Filter
      name="program"
      label={text.program}
      options={all.map(({ programId, programName }) => [programId, programName] as const)}
    />
  );
}
