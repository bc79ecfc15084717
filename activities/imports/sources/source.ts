import type { Json } from '../../../entities/rules/billing/json';
import type { ImportKind } from '../../../entities/rules/imports/kinds';
import type { RowProblem } from '../../../entities/rules/imports/problems';
import type { TheirTerms } from '../../../entities/rules/imports/report';
import type { SourceRow } from '../../../entities/rules/imports/rows';
import type { StatusWords } from '../../../entities/rules/imports/statuses';

/** A system that an import comes from. */
export interface Source {
  /** Parameters of its links that carry a token, in the order in which it looks for them. */
  params: readonly string[];
  /** How it is read, where it has an API. */
  api: SourceApi | null;
}

export interface SourceAccess {
  apiKey: string;
  accountId?: string | undefined;
}

/** A row in our columns, read from an object of the source's. */
export interface ToldRow {
  kind: ImportKind;
  cells: SourceRow;
  /** Why it cannot be booked, where the object itself says so. */
  problem?: RowProblem;
}

/** A campaign, group or programme of theirs. */
export interface Choice {
  id: string;
  name: string;
}

export interface SourcePage {
  objects: readonly Json[];
  /** The source's own word for the page after; null at the end. */
  next: string | null;
  /** Null where it does not say how many there are. */
  total: number | null;
}

export interface SourceList {
  /** The list's name, which people see while it is read. */
  name: string;
  /** Path and query of a page: of the campaigns that are wanted, where the source can tell them apart. */
  path(at: { cursor: string | null; only: readonly string[] | null }): string;
  /** Null for what is no page of this list. */
  page(body: unknown, cursor: string | null): SourcePage | null;
  /** Rows of an object; of the first the object is known again. */
  rows(object: Json, told: { statuses: StatusWords }): ToldRow[];
  /** The campaigns of an object, where it may be of one that is not wanted. */
  campaigns?(object: Json): Choice[];
  terms?(object: Json): TheirTerms;
}

/** All that is a vendor's own; another vendor is another folder. */
export interface SourceApi {
  base: string;
  /** What stands before its own ids of customers. */
  idPrefix: string;
  needsAccount: boolean;
  headers(access: SourceAccess): Record<string, string>;
  /** The lists in the order in which they are read. */
  lists: readonly SourceList[];
  /** What shows whether a key is good, and what there is to choose from. */
  first: {
    path: string;
    /** Null for what is no such answer. */
    choices(body: unknown): Choice[] | null;
    /** One has to be chosen where there are several. */
    isOne: boolean;
  };
}

/** Whether an object is of what is wanted: `only` names campaigns by id or name. */
export function isWanted(list: SourceList, object: Json, only: readonly string[] | null): boolean {
  if (only === null || !list.campaigns) return true;
  return list.campaigns(object).some((campaign) => isNamed(campaign, only));
}

export function isNamed({ id, name }: Choice, only: readonly string[]): boolean {
  return only.some((word) => word === id || word.toLowerCase() === name.toLowerCase());
}
