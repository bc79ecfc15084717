import { useId } from 'react';
import { useListSearch } from '../ui/filters';
import { text } from '../text/en';
import { Select } from '../ui/select';
import type { Program } from '../session/records';

/** Which programme a page is about, where there are several. */
export function ProgramChoice({ all, program }: { all: readonly Program[]; program: Program }) {
  const { set } = useListSearch();
  const id = useId();
  if (all.length < 2) return null;
  return (
    <span className="filter">
      <label htmlFor={id}>{text.program}</label>
      <Select
        id={id}
        value={program.id}
        options={all.map((one) => [one.id, one.name])}
        onChange={(chosen) => set({ program: chosen })}
      />
    </span>
  );
}
