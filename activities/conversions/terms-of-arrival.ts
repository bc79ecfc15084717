import type { Db } from '../../entities/database/sql';
import { termsAt } from '../programs/former-terms';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { Submission } from './submission';

type Found = 'click' | 'code' | 'credit';
const found: readonly Found[] = ['click', 'code', 'credit'];

/** The time at which a report or a biller first told of the payment. */
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
 * of today's.
 */
export async function withTermsOfArrival(
  db: Db,
  submission: Pick<Submission, 'scope' | 'report' | 'now' | 'firstToldAt'>,
  facts: ConversionFacts,
): Promise<ConversionFacts> {
  const at = arrivalOf(submission);
  // Told just now: what is offered now was read with the facts.
  if (at >= submission.now) return facts;
  const candidates = found.flatMap((by) => facts[by] ?? []);
  const questions = candidates.map(({ program, participant }) => {
    return { programId: program.id, participantId: participant.id, at };
  });
  const terms = await termsAt(db, submission.scope, questions);
  const byCandidate = new Map(candidates.map((candidate, n) => [candidate, terms[n] ?? null]));
  const then = (candidate: CandidateFacts | null): CandidateFacts | null => {
    const offered = candidate && byCandidate.get(candidate);
    return candidate && offered
      ? { ...candidate, program: { ...candidate.program, ...offered } }
      : candidate;
  };
  return { ...facts, click: then(facts.click), code: then(facts.code), credit: then(facts.credit) };
}
