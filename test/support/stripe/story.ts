import { bindByHand, unbindByHand } from '../../../activities/purchases/bind-by-hand';
import { signUpCustomer } from '../../../activities/purchases/sign-up';
import { query, type Db } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { buildClick } from '../build/clicks';
import { buildReport, recordConversion } from '../build/conversions';
import { buildParticipant } from '../build/programs';
import { stripeId } from './events';
import { buildStripeShop, type ShopDeps, type StripeShop } from './shop';

const minute = 60_000;
const day = 86_400_000;
const begin = Date.parse('2026-01-01T12:00:00Z');
export const on = (days: number): Date => new Date(begin + days * day);

export type Tell = () => Promise<unknown>;

/** Two partners of a shop, a customer who is `user` to it and `cus` to Stripe, and how each thing is told. */
export async function buildStory(
  deps: ShopDeps,
  terms: Parameters<typeof buildStripeShop>[1] = {},
) {
  const db = () => deps.db.manager;
  const shop = await buildStripeShop(deps, { salesFrom: 'both', ...terms });
  const rival = await buildParticipant(db(), { program: shop.program });
  const clickOf = async (participant: typeof rival) =>
    (await buildClick(db(), { participant, at: on(-1), expiresAt: on(400) })).id;
  const [click, rivals] = [await clickOf(shop.participant), await clickOf(rival)];
  const [user, cus] = [stripeId('user'), stripeId('cus')];
  const context = (now: Date) => ({
    scope: shop.scope,
    now,
    actor: systemActor,
    requestId: undefined,
  });
  const hand = { programId: shop.program.id, name: user };
  return {
    ...{ shop, rival, click, rivals, user, cus },
    send: (...events: Parameters<StripeShop['send']>) => shop.send(...events),
    report: (fields: Parameters<typeof buildReport>[0], now = on(500)) =>
      recordConversion(db(), context(now), buildReport(fields)),
    signUp: (fields: Partial<Parameters<typeof signUpCustomer>[2]> = {}, now = on(500)) =>
      signUpCustomer(db(), context(now), {
        ...{ customerId: user, aliases: [], clickId: click, promoCode: null, prospect: null },
        occurredAt: on(0),
        ...fields,
      }),
    bind: (at: Date) =>
      bindByHand(db(), context(at), { ...hand, participantId: rival.id, reason: 'asked' }),
    unbind: (at: Date) => unbindByHand(db(), context(at), hand),
    later: () => shop.followUp(new Date(Date.now() + 11 * minute)),
    due: () => dueOf(db(), shop, rival.id),
  };
}

/** What is due to each partner, one sum a sale, by the time of the sale. */
async function dueOf(db: Db, { scope }: StripeShop, rivalId: string): Promise<string[]> {
  const rows = await query<{ due: string }>(
    db,
    `SELECT CASE WHEN v.participant_id = $2 THEN 'rival' WHEN v.attributed THEN 'partner'
                 ELSE 'nobody' END || ' ' || coalesce(sum(m.amount_cents), 0) AS due
       FROM conversions AS v LEFT JOIN commissions AS m ON m.conversion_id = v.id AND m.credited
      WHERE v.workspace_id = $1 AND v.mode = $3
      GROUP BY v.id ORDER BY v.occurred_at, v.external_transaction_id`,
    [scope.workspaceId, rivalId, scope.mode],
  );
  return rows.map(({ due }) => due);
}

/** Every order of a few things; the same ones each time. */
export function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length < 2) return [[...all]];
  return all.flatMap((one, n) => ordersOf(all.toSpliced(n, 1)).map((rest) => [one, ...rest]));
}

export type Story = Awaited<ReturnType<typeof buildStory>>;

/** Tells a story in each order, each in a shop of its own, and gives what is due in each. */
export async function inEveryOrder(
  deps: ShopDeps,
  terms: Parameters<typeof buildStory>[1],
  tell: (story: Story) => Tell[],
): Promise<Set<string>> {
  const count = ordersOf(tell(await buildStory(deps, terms)).map((_, n) => n));
  const seen = await Promise.all(
    count.map(async (order) => {
      const story = await buildStory(deps, terms);
      const steps = tell(story);
      for (const n of order) await steps[n]?.();
      await story.later();
      return (await story.due()).join(', ');
    }),
  );
  return new Set(seen);
}
