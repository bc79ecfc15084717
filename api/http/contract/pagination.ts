import { Int, ListOf, QueryInt } from './validators';

/** Which page of a list, from 1. */
export function PageNumber(): PropertyDecorator {
  return QueryInt({
    min: 1,
    max: 1_000_000,
    optional: true,
    description: 'Page, from 1. Default 1.',
  });
}

/** How many rows a page has, 1 to 100. */
export function PageLimit(): PropertyDecorator {
  return QueryInt({ min: 1, max: 100, optional: true, description: 'Rows a page. Default 20.' });
}

export class PageQuery {
  @PageNumber()
  page: number = 1;

  @PageLimit()
  limit: number = 20;
}

export interface Page<T> {
  data: T[];
  total: number;
  page: number;
  limit: number;
}

/** The envelope of every list. */
export function toPage<T>(
  rows: T[],
  total: number,
  { page, limit }: { page: number; limit: number },
): Page<T> {
  return { data: rows, total, page, limit };
}

/** LIMIT and OFFSET of a page. */
export function pageWindow({ page, limit }: { page: number; limit: number }) {
  return { limit, offset: (page - 1) * limit };
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

    @Int({ min: 1 })
    page!: number;

    @Int({ min: 1 })
    limit!: number;
  }
  Object.defineProperty(PageDto, 'name', { value: `PageOf${type.name.replace(/Dto$/, '')}` });
  envelopes.set(type, PageDto);
  return PageDto;
}

/** The answer of a list, with an example of one row. */
export function pageAnswer(type: new () => object, row: object) {
  const example = toPage([row], 1, { page: 1, limit: 20 });
  return { 200: { type: pageOf(type), example } };
}
