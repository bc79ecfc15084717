import { useDeferredValue } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import type { Paged } from '../../ui/table';
import { useFind } from '../sales/find-sale';
import type { Commission, ParticipantNameDto } from '../../session/records';

const words = text.app.find;
const { nav } = text.app;

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
    ['/customers', text.app.customers.title],
    ['/commissions', nav.commissions],
    ['/partners', nav.partners],
    ['/payouts', nav.payouts],
    ['/payouts/books', text.app.books.title],
    ['/payouts/books/ledger', text.app.books.ledger],
    ['/programme', nav.programme],
    ['/developers', nav.developers],
    ['/settings', nav.settings],
    ['/move-in', text.app.settings.moveIn],
  ] as const),
].map(([to, name]) => ({ to, name, kind: words.page }));

/** Of each kind. */
const few = 5;
/** Below that everything would fit. */
const leastLetters = 2;

/** Pages at once, and what the API knows of partners and sales by what is typed. */
export function useFound(typed: string): { found: Found[]; error: unknown; isBusy: boolean } {
  const asked = useDeferredValue(typed.trim());
  const session = useSession();
  const mode = useMode();
  const findSale = useFind();
  const isAsked = asked.length >= leastLetters;
  const partners = async (): Promise<Found[]> => {
    const path = '/api/v1/workspace/partners';
    const query = { search: asked, limit: few };
    const { data } = await session.call<Paged<ParticipantNameDto>>(path, { query, mode });
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
    const query = { search: asked, limit: few };
    const { data } = await session.call<Paged<Commission>>('/api/v1/commissions', { query, mode });
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
