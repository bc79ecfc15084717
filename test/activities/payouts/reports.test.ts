import fc from 'fast-check';
import { reportResults } from '../../../activities/payouts/results';
import { query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildCommission } from '../../support/build/commissions';
import { contextOf, payoutsOn } from '../../support/build/payouts';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { rowsUnder } from '../../support/payout-reports';
import { anyManner, fates, reportOf, truths, type StoryItem } from '../../support/paypal/stories';
import { expectSoundCommissions } from '../../support/stored/payout-books';

const deps = useDeps();
const db = () => deps.db.manager;
const { create } = payoutsOn(db);

/** One partner for each fate, owed 20.00, in one payout. */
async function buildStories() {
  const program = await buildProgram(db());
  const partners: BuiltParticipant[] = [];
  for (const fate of fates) {
    const partnerName = fate;
    const partner = await buildParticipant(db(), { program, partnerName });
    await buildCommission(db(), { participant: partner, status: 'approved' });
    partners.push(partner);
  }
  const [first] = partners;
  if (!first) throw new Error('there is no story');
  const { id, items } = await create(first);
  const stories = fates.map((fate, day): StoryItem => {
    const at = partners.findIndex(({ partnerName }) => partnerName === fate);
    const { id: participantId, partnerEmail: email } = partners[at] ?? first;
    const item = items.find((one) => one.participantId === participantId);
    const sum = { currency: 'usd', amount: '20.00' };
    return { ...sum, reference: item?.reference ?? '', email, transactionId: `T${at}`, fate, day };
  });
  return { payoutId: id, first, partners, stories };
}

it('leaves the books as the story of the report has them, whatever is uploaded twice', async () => {
  await fc.assert(
    fc.asyncProperty(anyManner, fc.boolean(), async (manner, isCut) => {
      const { payoutId, first, partners, stories } = await buildStories();
      const [header = [], ...rows] = reportOf(stories, manner);
      const results = rowsUnder(header, rows);
      const stores = { db: db(), vault: deps.vault };
      const uploads =
        isCut && manner.hasReference && manner.hasLink ? [results.slice(3), results] : [results];
      for (const part of [...uploads, results]) {
        await reportResults(stores, contextOf(first), { payoutId, results: part });
      }
      const books = await query<{ fate: string; status: string; owed: number }>(
        db(),
        `SELECT p.partner_name AS fate, i.status, (SELECT sum(l.amount_cents)::bigint
                  FROM ledger_entries AS l WHERE l.participant_id = p.id) AS owed
           FROM payout_items AS i JOIN participants AS p ON p.id = i.participant_id
          WHERE i.payout_id = $1 ORDER BY p.id`,
        [payoutId],
      );
      const isPaid = (status: string) => status === 'paid';
      expect(books.map(({ fate, status, owed }) => [fate, isPaid(status), owed])).toEqual(
        fates.map((fate) => [fate, isPaid(truths[fate]), isPaid(truths[fate]) ? 0 : 2_000]),
      );
      if (uploads.length === 1)
        expect(books.map(({ status }) => status)).toEqual(fates.map((fate) => truths[fate]));
      for (const partner of partners) await expectSoundCommissions(db(), partner);
    }),
    { numRuns: 6 },
  );
}, 120_000);
