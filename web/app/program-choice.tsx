import { useListSearch } from '../ui/table';
import { text } from '../text/en';
import { OptionList } from '../ui/form';
import type { Program } from '../session/records';

/** Which programme a page is about, where there are several. */
export function ProgramChoice({ all, program }: { all: readonly Program[]; program: Program }) {
  const { set } = useListSearch();
  if (all.length < 2) return null;
  return (
    <label className="filter">
      {text.program}
      <select value={program.id} onChange={({ target }) => set({ program: target.value })}>
        <OptionList of={all.map(({ id, name }) => [id, name])} />
      </select>
    </label>
  );
}
