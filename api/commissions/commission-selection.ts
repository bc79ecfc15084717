import { firstIdAt } from '../../entities/ids';
import { dateRange, isDay } from '../../entities/rules/values/instant';
import type { Scope } from '../../entities/rules/values/mode';
import { literalPattern } from '../../entities/database/sql';
import type { CommissionFilter } from './commission-filter.dto';

/** Which commissions: of these programmes, and for a partner of its participations in them. */
export interface CommissionSelection {
  programIds: readonly string[];
  filter: CommissionFilter;
  /** A merchant's: within workspace and mode, where counters are kept too. */
  scope?: Scope;
  participantIds?: readonly string[];
  /** Participants whose name matches the search; looked up before. */
  searchedParticipants?: readonly string[];
  /** The same for conversions by their transaction; none when they are too many to be named. */
  searchedConversions?: readonly string[];
  /** The conversion of which the search is another id, whole. */
  searchedAliases?: readonly string[];
}

export interface ScopedSelection extends CommissionSelection {
  scope: Scope;
}

export function isScoped(selection: CommissionSelection): selection is ScopedSelection {
  return selection.scope !== undefined;
}

/** A condition on the table under `c`, with its parameters from $1 on. */
export interface Condition {
  text: string;
  params: unknown[];
}

/**
 * The one translation of a filter, for list, total, statistics and export. `program` is how the
 * programme is compared: by a parameter, or with a table that the query joins.
 */
export function conditionOf(selection: CommissionSelection, program?: string): Condition {
  const { filter } = selection;
  const terms = new Terms();
  addProgram(terms, selection, program);

  terms.addEqual('status', filter.status);
  terms.addEqual('currency', filter.currency);
  if (filter.needsReview !== undefined) {
    terms.texts.push(`c.needs_review = ${String(filter.needsReview)}`);
  }
  if (selection.participantIds) {
    terms.add((place) => `c.participant_id = ANY(${place})`, selection.participantIds);
  }
  terms.addEqual('participant_id', filter.participantId || undefined);
  if (filter.groupId) terms.add(ofGroup, filter.groupId);
  terms.addEqual('payout_id', filter.payoutId || undefined);

  const { from, to } = dateRange(filter);
  if (from) terms.add((place) => `c.id >= ${place}::uuid`, firstIdAt(from));
  if (to) terms.add((place) => `c.id < ${place}::uuid`, firstIdAt(to));
  addSearch(terms, selection);
  return { text: terms.texts.join(' AND '), params: terms.params };
}

/** Who is in a group is few, or nearly all: the planner sees which. */
function ofGroup(place: string): string {
  return `c.participant_id IN (SELECT m.id FROM participants AS m
    WHERE coalesce(m.group_id, m.program_id) = ${place})`;
}

/** Comparisons that must all hold, and their parameters. */
class Terms {
  readonly texts: string[] = [];
  readonly params: unknown[] = [];

  add(text: (place: string) => string, value: unknown): void {
    this.params.push(value);
    this.texts.push(text(`$${this.params.length}`));
  }

  addEqual(column: string, value: unknown): void {
    if (value !== undefined) this.add((place) => `c.${column} = ${place}`, value);
  }
}

function addProgram(terms: Terms, { programIds }: CommissionSelection, program?: string): void {
  if (program) terms.texts.push(`c.program_id = ${program}`);
  else if (programIds.length === 1) terms.addEqual('program_id', programIds[0]);
  else terms.add((place) => `c.program_id = ANY(${place})`, programIds);
}

function addSearch(terms: Terms, selection: CommissionSelection): void {
  const { filter, searchedParticipants, searchedConversions, searchedAliases } = selection;
  if (!filter.search) return;
  terms.params.push(
    searchedConversions ?? literalPattern(filter.search),
    searchedParticipants ?? [],
    searchedAliases ?? [],
  );
  const last = terms.params.length;
  const ofTransaction = searchedConversions
    ? `c.conversion_id = ANY($${last - 2}::uuid[])`
    : `c.external_transaction_id ILIKE $${last - 2}`;
  const others = `c.participant_id = ANY($${last - 1}::uuid[]) OR c.conversion_id = ANY($${last}::uuid[])`;
  terms.texts.push(`(${ofTransaction} OR ${others})`);
}

/** True when the counters by UTC day can answer: no condition that they do not keep. */
export function isCounted(selection: CommissionSelection): selection is ScopedSelection {
  const { search, participantId, groupId, payoutId, dateFrom, dateTo } = selection.filter;
  const wholeDays = [dateFrom, dateTo].every((date) => date === undefined || isDay(date));
  return isScoped(selection) && !search && !participantId && !groupId && !payoutId && wholeDays;
}

/** The filter on the counters, for a selection of which `isCounted` is true. */
export function countedConditionOf({ scope, programIds, filter }: ScopedSelection): Condition {
  return {
    text: `workspace_id = $1 AND mode = $2 AND program_id = ANY($3)
      AND ($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR currency = $5)
      AND ($6::boolean IS NULL OR needs_review = $6)
      AND ($7::date IS NULL OR day >= $7) AND ($8::date IS NULL OR day <= $8)`,
    params: [
      scope.workspaceId,
      scope.mode,
      programIds,
      filter.status ?? null,
      filter.currency ?? null,
      filter.needsReview ?? null,
      filter.dateFrom ?? null,
      filter.dateTo ?? null,
    ],
  };
}
