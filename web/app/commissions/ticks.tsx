import { commissions as words } from '../../text/en/app/commissions';
import type { ColumnOf } from '../../ui/list';
import type { Commission } from '../../session/records';

/** What is ticked, by id: also of pages that are not shown. */
export type Chosen = ReadonlyMap<string, Commission>;

/** A commission can be decided as long as it is not decided for good. */
export const isDecidable = ({ status }: Pick<Commission, 'status'>): boolean =>
  status === 'pending' || status === 'approved';

/** A tick in each row that can be decided, and one in the head for all of the page. */
export function tickColumn(
  rows: readonly Commission[],
  chosen: Chosen,
  choose: (next: Chosen) => void,
): ColumnOf<'commissions.list'> {
  const open = rows.filter(isDecidable);
  const isAll = open.every(({ id }) => chosen.has(id));
  const set = (of: readonly Commission[], isOn: boolean): void => {
    const next = new Map(chosen);
    for (const one of of) {
      if (isOn) next.set(one.id, one);
      else next.delete(one.id);
    }
    choose(next);
  };
  return {
    title: words.selected,
    head: (
      <input
        type="checkbox"
        aria-label={words.selectAll}
        checked={isAll}
        onChange={({ target }) => set(open, target.checked)}
      />
    ),
    cell: (one) =>
      isDecidable(one) && (
        <input
          type="checkbox"
          aria-label={words.select(one.partnerName)}
          checked={chosen.has(one.id)}
          onChange={({ target }) => set([one], target.checked)}
        />
      ),
  };
}
