import type { Db } from '../../entities/database/sql';
import { termsAt } from '../programs/former-terms';
import type { CandidateFacts, ConversionFacts } from './read-signals';
import type { Submission } from './submission';

type Found = 'click' | 'code' | 'credit';
const found: readonly Found[] = ['click', 'code', 'credit'];

/**
 * A payment that was told before is judged by the terms of that time, however much later a fact changes
 * its credit: those of its programmes then take the place of today's.
 */
export async function withTermsOfArrival(
  db: Db,
  submission: Pick<Submission, 'scope' | 'report'>,
  facts: ConversionFacts,
): Promise<ConversionFacts> {
  const at = submission.report.credit?.arrivedAt;
  if (!at) return facts;
  const programIds = [...new Set(found.flatMap((by) => facts[by]?.program.id ?? []))];
  const questions = programIds.map((programId) => ({ programId, at }));
  const terms = await termsAt(db, submission.scope, questions);
  const byProgram = new Map(programIds.map((programId, n) => [programId, terms[n] ?? null]));
  const then = (candidate: CandidateFacts | null): CandidateFacts | null => {
    const offered = candidate && byProgram.get(candidate.program.id);
    return candidate && offered
      ? { ...candidate, program: { ...candidate.program, ...offered } }
      : candidate;
  };
  return { ...facts, click: then(facts.click), code: then(facts.code), credit: then(facts.credit) };
}
