import type { Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { momentOf } from '../../entities/rules/attribution/attribute';
import { creditedAs, nothingSold } from '../../entities/rules/payments/credit';
import { recordOf } from '../../runtime/load/micro-batch';
import type { ConversionRecord } from '../conversions/conversion';
import { ownVerdict } from '../conversions/judge-fraud';
import { reportedPayment } from '../conversions/known-customer';
import { readFacts, recordAll } from '../conversions/record';
import type { Submission } from '../conversions/submission';
import { arrivalOf } from '../conversions/terms-of-arrival';
import { customerNamesOf } from '../conversions/report';
import { askAgain, decide } from './ask';
import type { CreditContext } from './biller';
import { customerOfNames } from './customer-of-names';
import { lockTimeline } from './timeline';

/**
 * Records a report that lies before something that is known of its customer: it is decided with all
 * their other payments, and these anew with it. Refuses as the recording of any report does.
 */
export async function recordInTimeline(
  tx: Tx,
  context: CreditContext,
  submission: Submission,
): Promise<ConversionRecord> {
  const { scope, report, id, now } = submission;
  const names = { own: customerNamesOf(report), billers: [], current: null };
  const customer = await customerOfNames(tx, { scope, now }, names);
  if (customer === null) throw new Error('a report of nobody has no timeline');
  const found = await lockTimeline(tx, scope, { customers: [customer] });
  const [facts] = await readFacts(tx, [submission]);
  if (!facts) throw new Error('a report without facts');

  const verdict = ownVerdict({ facts, ...submission });
  const occurred = momentOf(report.occurredAt, report.source, now);
  const payment = { ...reportedPayment(submission, { occurred, verdict }), customer };
  const { credited } = await decide(tx, context, { found, further: [payment] });
  const credit = credited.credits.get(id);
  const rank = credited.ranks.get(id) ?? null;
  if (!credit || credit.kind === 'nobody' || credit.kind === 'waits') {
    throw new AppError('NO_ATTRIBUTION_SIGNAL');
  }
  const judged = { rank, sold: nothingSold, arrivedAt: arrivalOf(submission) };
  const decided = {
    credit,
    periodAt: payment.periodAt,
    isPart: false,
    ...judged,
    creditedAs: creditedAs(payment, credit, judged),
    stands: null,
  };
  const [outcome] = await recordAll(tx, [
    { ...submission, report: { ...report, credit: decided } },
  ]);
  const record = recordOf(outcome);
  await askAgain(tx, context, { customers: [customer] });
  return record;
}
