import { readConversionFacts } from '../../../activities/conversions/read-signals';
import { buildSales } from '../../support/build/figures';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();

it('of a busy partner the newest 5,000 conversions are counted, refunded ones among them', async () => {
  const db = database.source.manager;
  const participant = await buildParticipant(db);
  const { code } = await buildPromoCode(db, participant);
  const now = new Date();
  // The oldest 300 were refunded; 200 of them are beyond the bound.
  await buildSales(
    db,
    Array.from({ length: 5_200 }, (_, age) => ({
      participant,
      at: new Date(now.getTime() - (age + 1) * 60_000),
      refundedCents: age >= 4_900 ? 1_000 : 0,
    })),
  );
  const question = { scope: participant, promoCode: code, aliases: [], clickId: null };
  const rest = { creditTo: null, customerId: null, customerNames: [], prospectHash: null };
  const [facts] = await readConversionFacts(db, [{ ...question, ...rest }], now);
  expect(facts?.code).toMatchObject({ conversions: 5_000, refunded: 100 });
});
