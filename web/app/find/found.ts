import { useDeferredValue } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useMode, useSession } from '../../session/use-session';
import { books as booksWords } from '../../text/en/app/books';
import { customers as customersWords } from '../../text/en/app/customers';
import { find as words } from '../../text/en/app/find';
import { nav } from '../../text/en/app/nav';
import { settings as settingsWords } from '../../text/en/app/settings';
import { useFind } from '../sales/find-sale';

/** Something to open. */
export interface Found {
  to: string;
  name: string;
  /** What it is. */
  kind: string;
}

const pages: readonly Found[] = [
  ...([
    ['/', nav.getStarted],
    ['/overview', nav.overview],
    ['/inbox', nav.inbox],
    ['/sales', nav.sales],
    ['/customers', customersWords.title],
    ['/commissions', nav.commissions],
    ['/partners', nav.partners],
    ['/payouts', nav.payouts],
    ['/payouts/books', booksWords.title],
    ['/payouts/books/ledger', booksWords.ledger],
    ['/programme', nav.programme],
    ['/developers', nav.developers],
    ['/settings', nav.settings],
    ['/move-in', settingsWords.moveIn],
  ] as const),
].map(([to, name]) => ({ to, name, kind: words.page }));

/** Rows of each kind. */
const few = 5;
/** The letters below which everything would fit. */
const leastLetters = 2;

/** Pages at once, and what the API knows of partners and sales by what is typed. */
export function useFound(typed: string): { found: Found[]; error: unknown; isBusy: boolean } {
  const asked = useDeferredValue(typed.trim());
  const session = useSession();
  const mode = useMode();
  const findSale = useFind();
  const isAsked = asked.length >= leastLetters;
  const partners = async (): Promise<Found[]> => {
    const fields = { search: asked, limit: few };
    const { data } = await session.ask('partners.listNames', fields, mode);
    return data.map(({ id, programId, partnerName }) => ({
      to: `/partners/${programId}/${id}`,
      name: partnerName,
      kind: words.partner,
    }));
  };
  const sale = async (): Promise<Found[]> => {
    const id = /\s/.test(asked) ? undefined : await findSale(asked);
    return id === undefined ? [] : [{ to: `/sales/${id}`, name: asked, kind: words.sale }];
  };
  const commissions = async (): Promise<Found[]> => {
    const fields = { search: asked, limit: few };
    const { data } = await session.ask('commissions.list', fields, mode);
    return data.map(({ id, programId, partnerName, externalTransactionId }) => ({
      to: `/commissions/${programId}/${id}`,
      name: `${externalTransactionId ?? partnerName}, ${partnerName}`,
      kind: words.commission,
    }));
  };
  const answer = useQuery({
    queryKey: ['find', asked, mode],
    queryFn: async () => (await Promise.all([sale(), partners(), commissions()])).flat(),
    enabled: isAsked,
  });
  const fits = pages.filter(({ name }) => name.toLowerCase().includes(asked.toLowerCase()));
  return {
    found: [...fits, ...(isAsked ? (answer.data ?? []) : [])],
    error: isAsked ? answer.error : null,
    isBusy: isAsked && answer.isFetching,
  };
}
