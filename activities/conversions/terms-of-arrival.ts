import type { Db } from '../../entities/database/sql';
import { statusesAt } from '../programs/former-statuses';
import { termsAt, type TermsQuestion } from '../programs/former-terms';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { Submission } from './submission';

type Found = 'click' | 'code' | 'credit';
const found: readonly Found[] = ['click', 'code', 'credit'];

/** When the payment was first told, by a report or by its biller. */
export function arrivalOf({
  report,
  firstToldAt,
  now,
}: Pick<Submission, 'report' | 'firstToldAt' | 'now'>): Date {
  return report.credit?.arrivedAt ?? firstToldAt ?? now;
}

/**
 * A payment that was told before is judged by the terms of that time, however much later a fact changes
 * its credit: those of its programmes, and of the groups that its candidates were in, then take the place
 * of today's, and so do the statuses of programmes and partners.
 */
export async function withTermsOfArrival(
  db: Db,
  submission: Arrived,
  facts: ConversionFacts,
): Promise<ConversionFacts> {
  const questions = questionsOf(submission, facts);
  const terms = await termsAt(db, submission.scope, questions);
  const offered = replaced(facts, (candidate, n) => {
    const program = { ...candidate.program, ...terms[n] };
    return { ...candidate, program };
  });
  return withStatusesOfArrival(db, submission, offered);
}

type Arrived = Pick<Submission, 'scope' | 'report' | 'now' | 'firstToldAt'>;

/**
 * The facts with the statuses that programmes and partners had when the report arrived, and no
 * terms of then: a signal leads to a partner, whatever the terms. Whoever has been erased stays so.
 */
export async function withStatusesOfArrival(
  db: Db,
  submission: Arrived,
  facts: ConversionFacts,
): Promise<ConversionFacts> {
  const statuses = await statusesAt(db, submission.scope, questionsOf(submission, facts));
  return replaced(facts, (candidate, n) => {
    const { program, participant } = candidate;
    const then = statuses[n];
    if (!then) return candidate;
    return {
      ...candidate,
      program: { ...program, status: then.program },
      participant: { ...participant, status: then.participant },
    };
  });
}

/** None of what is told just now: what holds now was read with the facts. */
function questionsOf(submission: Arrived, facts: ConversionFacts): TermsQuestion[] {
  const at = arrivalOf(submission);
  if (at >= submission.now) return [];
  return candidatesOf(facts).map(({ program, participant }) => {
    return { programId: program.id, participantId: participant.id, at };
  });
}

function candidatesOf(facts: ConversionFacts): CandidateFacts[] {
  return found.flatMap((by) => facts[by] ?? []);
}

/** The facts with another in place of each candidate. */
function replaced(
  facts: ConversionFacts,
  by: (candidate: CandidateFacts, n: number) => CandidateFacts,
): ConversionFacts {
  const others = new Map(candidatesOf(facts).map((one, n) => [one, by(one, n)]));
  const other = (one: CandidateFacts | null) => one && (others.get(one) ?? one);
  const { click, code, credit } = facts;
  return { ...facts, click: other(click), code: other(code), credit: other(credit) };
}
