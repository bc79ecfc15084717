import type { ListedEvent, ListPage } from './reader';

/** What a page of a list is asked by: what stands beyond an event, in either direction. */
export type PageAsked = { olderThan: string | null } | { newerThan: string };

/** A page of a biller's list; ids are null for an empty one. */
export interface PageRead {
  /** Oldest first. */
  events: ListedEvent[];
  oldest: string | null;
  newest: string | null;
  /** Whether the list goes on in the direction that was asked for. */
  isMore: boolean;
}

const forth = '>';

/**
 * A page of a list that begins with the newest, read so that what happened first is taken in first: back to its
 * oldest page, of which nothing is taken in on the way, and then forth page by page. Else a renewal would be
 * booked before the sale that it renews, and a refund before its payment, and be put right, with notices, later.
 */
export async function oldestFirst(
  place: string | null,
  read: (asked: PageAsked) => Promise<PageRead>,
): Promise<ListPage> {
  if (place?.startsWith(forth)) {
    const { events, newest, isMore } = await read({ newerThan: place.slice(forth.length) });
    return { events, next: isMore && newest !== null ? forth + newest : null };
  }
  const { events, oldest, newest, isMore } = await read({ olderThan: place });
  if (isMore && oldest !== null) return { events: [], next: oldest };
  return { events, next: place === null ? null : forth + (newest ?? place) };
}
