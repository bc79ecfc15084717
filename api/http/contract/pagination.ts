import type { Found, Place, Window } from '../../../entities/database/list';
import { sealCursor, type PageFields } from './cursor';
import type { RequestContext } from './request';
import { AnyText, Int, ListOf, QueryInt, Text } from './validators';

/** Which page of a list, from 1. */
export function PageNumber(): PropertyDecorator {
  return QueryInt({
    min: 1,
    max: 1_000_000,
    optional: true,
    description: 'Page, from 1. Default 1. Not with cursor.',
  });
}

/** How many rows a page has, 1 to 100. */
export function PageLimit(): PropertyDecorator {
  return QueryInt({ min: 1, max: 100, optional: true, description: 'Rows a page. Default 20.' });
}

/** Where the last answer ended. */
export function PageCursor(): PropertyDecorator {
  return Text({
    min: 1,
    max: 4_096,
    optional: true,
    description:
      '`nextCursor` of an answer to the same list, filters and order: the rows behind it, whatever came or went meanwhile.',
  });
}

export class PageQuery {
  @PageNumber()
  page: number = 1;

  @PageLimit()
  limit: number = 20;

  @PageCursor()
  cursor?: string;

  /** What the cursor says, once it was opened. */
  after?: Place;
}

export interface Page<T> {
  data: T[];
  total: number;
  page: number;
  limit: number;
  nextCursor: string | null;
}

/** The envelope of every list. */
export function toPage<R, T>(
  ctx: RequestContext & { input: { query: PageFields } },
  { rows, total, next }: Found<R>,
  present: (row: R) => T,
): Page<T> {
  const { query } = ctx.input;
  const { page, limit } = windowOf(query);
  const nextCursor = next && sealCursor(ctx, query, next);
  return { data: rows.map((row) => present(row)), total, page, limit, nextCursor };
}

/** The window that a query asks for. */
export function windowOf({ page, limit, pageSize, after }: PageFields) {
  return { page, limit: limit ?? pageSize ?? 20, after } satisfies Window;
}

/** Where the next rows are. */
export function NextCursor(): PropertyDecorator {
  return AnyText({
    nullable: true,
    description: 'What `cursor` takes to read on; null at the end.',
  });
}

const envelopes = new Map<object, new () => object>();

/** The DTO class of a page of these records. */
export function pageOf(type: new () => object): new () => object {
  const known = envelopes.get(type);
  if (known) return known;

  class PageDto {
    @ListOf(() => type)
    data!: object[];

    @Int({ min: 0, description: 'Rows that match, over all pages.' })
    total!: number;

    @Int({ min: 1, description: 'Always 1 where a cursor was given.' })
    page!: number;

    @Int({ min: 1 })
    limit!: number;

    @NextCursor()
    nextCursor!: string | null;
  }
  Object.defineProperty(PageDto, 'name', { value: `PageOf${type.name.replace(/Dto$/, '')}` });
  envelopes.set(type, PageDto);
  return PageDto;
}

/** The answer of a list. */
export function pageAnswer(type: new () => object) {
  return { 200: { type: pageOf(type) } };
}
