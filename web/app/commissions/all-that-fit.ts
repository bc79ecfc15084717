import { useState } from 'react';
import { useAnswer, useMode, useSession } from '../../session/use-session';
import { commissions as commissionsWords } from '../../text/en/app/commissions';
import { formatCount } from '../../ui/format';
import type { Filters } from '../../session/operations';
import type { Commission } from '../../session/records';
import { isDecidable, type Chosen } from './ticks';

interface AllThatFit {
  /** The words of the offer; undefined where the page shows all that can be decided. */
  offers: string | undefined;
  isBusy: boolean;
  error: unknown;
  take: () => void;
}

/** Ticks what fits the filters on all pages, a hundred at a time. */
export function useAllThatFit(
  filters: Filters<'commissions.list'>,
  choose: (next: Chosen) => void,
): AllThatFit {
  const session = useSession();
  const mode = useMode();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const shown = useAnswer('commissions.list', filters).data;
  const isOffered =
    shown !== undefined && shown.total > shown.data.length && shown.data.some(isDecidable);
  const take = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    const found = new Map<string, Commission>();
    try {
      let cursor: string | null | undefined;
      do {
        const fields = { ...filters, page: undefined, limit: 100, cursor: cursor ?? undefined };
        const page = await session.ask('commissions.list', fields, mode);
        for (const one of page.data.filter(isDecidable)) found.set(one.id, one);
        choose(new Map(found));
        cursor = page.nextCursor;
      } while (cursor);
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };
  return {
    offers: isOffered ? commissionsWords.allThatFit(formatCount(shown.total)) : undefined,
    isBusy,
    error,
    take: () => void take(),
  };
}
