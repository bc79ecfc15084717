import { beginChange, withDecision } from '../../../activities/commissions/commission-change';
import { writeChanges } from '../../../activities/commissions/write';
import { planConversion, type ConversionPlan } from '../../../activities/conversions/decide';
import { writeConversions } from '../../../activities/conversions/insert-with-commission';
import type { CandidateFacts } from '../../../activities/conversions/read-signals';
import { settleConversion } from '../../../activities/settlement/settle';
import { newId } from '../../../entities/ids';
import { defaultGroupOf } from '../../../entities/rules/programs/groups';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { execute, type Tx } from '../../../entities/database/sql';
import { sampleClicks, type SeededClick } from './clicks';
import type { SeededPartner } from './partners';
import { pick, portions, type Random } from './shape';
import { dayMs } from '../../../entities/rules/values/duration';

const batch = 200;
const prices = [1_900, 2_400, 4_900, 4_900, 7_500, 12_900];

interface Setting {
  program: Program;
  partners: readonly SeededPartner[];
  count: number;
  end: Date;
  random: Random;
}

/** Sales by clicks and codes, decided, held, approved and refunded by the service's own rules. */
export async function seedSales(tx: Tx, setting: Setting): Promise<void> {
  const plans = (await planSales(tx, setting)).sort(
    (a, b) => a.record.createdAt.getTime() - b.record.createdAt.getTime(),
  );
  for (let start = 0; start < plans.length; start += batch) {
    await writeConversions(tx, plans.slice(start, start + batch), { waits: true });
  }
  await decideOld(tx, plans, setting);
  await refundSome(tx, plans, setting);
}

async function planSales(tx: Tx, setting: Setting): Promise<ConversionPlan[]> {
  const { partners, count, program, end, random } = setting;
  const shares = portions(
    count,
    partners.map(({ weight, skill, since }) => weight * skill * (1 - since / 400)),
  );
  const plans: ConversionPlan[] = [];
  for (const [index, partner] of partners.entries()) {
    const clicks = await sampleClicks(tx, partner.participant.id, shares[index] ?? 0);
    for (const click of clicks) {
      const delay = random() ** 3 * 12 * dayMs + 40_000;
      const now = new Date(click.at.getTime() + delay);
      if (now < end) plans.push(planSale({ program, partner, click, now }, random));
    }
  }
  return plans;
}

interface Sale {
  program: Program;
  partner: SeededPartner;
  click: SeededClick;
  now: Date;
}

function planSale({ program, partner, click, now }: Sale, random: Random): ConversionPlan {
  const id = newId(now);
  const currency = pick(random, [
    ['usd', 72],
    ['eur', 19],
    ['gbp', 9],
  ]);
  const code = partner.promoCode && random() < 0.14 ? partner.promoCode : null;
  const candidate = candidateFacts({ program, partner, click, now }, random);
  const byCode = { ...candidate, code, click: null };
  return planConversion({
    scope: { workspaceId: program.workspaceId, mode: program.mode },
    id,
    now,
    report: {
      source: 'api',
      externalTransactionId: `demo-${id.slice(-12)}`,
      aliases: [],
      eventType: 'purchase',
      amountCents: pick(
        random,
        prices.map((price) => [price, 1] as const),
      ),
      currency,
      occurredAt: null,
      clickId: code ? null : click.id,
      promoCode: code,
      prospect: null,
      customerId: `customer-${id.slice(-12)}`,
      metadata: null,
      feeCents: null,
      credit: null,
    },
    facts: {
      duplicateOf: null,
      click: code ? null : candidate,
      code: code ? byCode : null,
      credit: null,
      customer: null,
      isOtherMode: false,
      lookAlikes: [],
    },
  });
}

/** What is known of the partner, as the service would have read it at the time of the sale. */
function candidateFacts({ program, partner, click }: Sale, random: Random): CandidateFacts {
  const { commissionType, rateBps, amountCents, basis, recurring, recurringMonths } = program;
  const { participant } = partner;
  const isDeals = partner.name === 'Brew Deals';
  return {
    mode: program.mode,
    program: {
      ...program,
      hasCommissions: true,
      terms: { type: commissionType, rateBps, amountCents, basis, recurring, recurringMonths },
      group: defaultGroupOf(program.id),
    },
    participant: {
      id: participant.id,
      status: 'approved',
      erased: false,
      name: participant.partnerName,
      email: participant.partnerEmail,
    },
    code: null,
    click: {
      id: click.id,
      linkId: click.linkId,
      clickedAt: click.at,
      windowEndsAt: new Date(click.at.getTime() + 30 * dayMs),
      creditable: true,
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
      ipHash: 'demo',
      url: null,
      referrer: null,
    },
    fraudSettings: { click_velocity: { action: 'reject', threshold: 30 } },
    ipIsPartners: random() < 0.004,
    clicksFromIp: random() < (isDeals ? 0.06 : 0.002) ? 44 : 1,
    sellsByStripe: false,
    customerIsAnothersToo: random() < (isDeals ? 0.12 : 0.012),
    refunded: 0,
    conversions: 0,
  };
}

/** Commissions whose hold is over: most were approved on that day, some rejected. */
async function decideOld(
  tx: Tx,
  plans: readonly ConversionPlan[],
  { end, random }: Setting,
): Promise<void> {
  const changes = plans.flatMap(({ commission: planned }) => {
    const commission = planned?.commission;
    if (!commission?.holdUntil || commission.status !== 'pending') return [];
    const now = new Date(commission.holdUntil.getTime() + random() * 6 * 3_600_000);
    if (now > end) return [];
    const decision = random() < 0.96 ? 'approve' : 'reject';
    const reason = decision === 'reject' ? 'Order was cancelled' : null;
    return [
      withDecision(beginChange(commission, { now }), { decision, actor: systemActor, reason }),
    ];
  });
  for (let start = 0; start < changes.length; start += batch) {
    await writeChanges(tx, changes.slice(start, start + batch));
  }
}

/** One sale in thirty came back, wholly or in part, within some weeks. */
async function refundSome(
  tx: Tx,
  plans: readonly ConversionPlan[],
  { end, random }: Setting,
): Promise<void> {
  for (const { record, scope } of plans) {
    const now = new Date(record.createdAt.getTime() + (1 + 20 * random()) * dayMs);
    if (random() > 1 / 30 || now > end || !record.attributed) continue;
    const cents = random() < 0.7 ? record.amountCents : Math.ceil(record.amountCents / 3);
    await execute(
      tx,
      `INSERT INTO conversion_refunds
         (id, workspace_id, mode, conversion_id, external_refund_id, amount_cents, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [newId(now), scope.workspaceId, scope.mode, record.id, `refund-${record.id}`, cents, now],
    );
    await settleConversion(tx, { scope, actor: systemActor, now }, { conversionId: record.id });
  }
}
