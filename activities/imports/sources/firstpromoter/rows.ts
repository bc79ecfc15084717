import type { Json } from '../../../../entities/rules/billing/json';
import { invalidField, problemOf } from '../../../../entities/rules/imports/problems';
import type { StatusWords } from '../../../../entities/rules/imports/statuses';
import type { Choice, ToldRow } from '../source';
import { cellAt, firstOf, fullName, objectsAt, wordOf } from '../told';

const ours: StatusWords = { denied: 'void' };

/** States of a promoter in a campaign, the best for them first. */
const states = ['accepted', 'pending', 'rejected'] as const;
const ourStates: StatusWords = { accepted: 'active', pending: 'pending', rejected: 'rejected' };

export function promoterCampaigns(promoter: Json): Choice[] {
  return (objectsAt(promoter, 'promoter_campaigns') ?? []).map((one) => {
    return {
      id: cellAt(one, 'campaign', 'id'),
      name: cellAt(one, 'campaign', 'name'),
    };
  });
}

/** A promoter with token and code of each campaign. */
export function promoterRows(promoter: Json, { statuses }: { statuses: StatusWords }): ToldRow[] {
  const partner_id = cellAt(promoter, 'id');
  const campaigns = objectsAt(promoter, 'promoter_campaigns') ?? [];
  const profile = fullName(
    cellAt(promoter, 'profile', 'first_name'),
    cellAt(promoter, 'profile', 'last_name'),
  );
  const token = (cells: Record<string, string>): ToldRow[] =>
    cells['token'] === '' ? [] : [{ kind: 'links', cells: { partner_id, ...cells } }];
  return [
    {
      kind: 'partners',
      cells: {
        partner_id,
        email: cellAt(promoter, 'email'),
        name: firstOf(cellAt(promoter, 'name'), profile),
        status: stateOf(promoter, { campaigns, statuses }),
        groups: namesOf(campaigns).join('\n'),
        created_at: cellAt(promoter, 'joined_at'),
      },
    },
    ...campaigns.flatMap((campaign) => [
      ...token({ token: cellAt(campaign, 'ref_token'), url: cellAt(campaign, 'ref_link') }),
      ...token({ token: cellAt(campaign, 'coupon'), kind: 'code' }),
    ]),
  ];
}

/** The names of a promoter's campaigns; campaigns that have accepted the promoter come first. */
function namesOf(campaigns: readonly Json[]): string[] {
  const placeOf = (campaign: Json): number =>
    (states as readonly string[]).indexOf(cellAt(campaign, 'state')) + 1 || states.length + 1;
  return campaigns
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((campaign) => cellAt(campaign, 'campaign', 'name'));
}

/** Who is accepted anywhere is active; who is put away, or in no campaign, earns nothing new. */
function stateOf(
  promoter: Json,
  { campaigns, statuses }: { campaigns: readonly Json[]; statuses: StatusWords },
): string {
  if (cellAt(promoter, 'archived_at') !== '') return wordOf('archived', { statuses, ours: {} });
  const told = campaigns.map((campaign) => cellAt(campaign, 'state'));
  const best = states.find((state) => told.includes(state)) ?? firstOf(...told, 'not_set');
  return wordOf(best, { statuses, ours: ourStates });
}

/** The states of a referral that was denied, or is another promoter's by now. */
const noMore = ['denied', 'moved'];

export function referralRows(referral: Json): ToldRow[] {
  const row: ToldRow = {
    kind: 'customers',
    cells: {
      partner_id: promoterOf(referral),
      customer_id: cellAt(referral, 'id'),
      known_as: cellAt(referral, 'uid'),
      bound_at: cellAt(referral, 'created_at'),
      first_paid_at: cellAt(referral, 'customer_since'),
    },
  };
  const state = cellAt(referral, 'state');
  if (!noMore.includes(state)) return [row];
  return [{ ...row, problem: invalidField('state', `is ${state}: it earns nothing there`) }];
}

function promoterOf(object: Json): string {
  return firstOf(
    cellAt(object, 'promoter_campaign', 'promoter_id'),
    cellAt(object, 'promoter_campaign', 'promoter', 'id'),
  );
}

export function commissionRows(
  commission: Json,
  { statuses }: { statuses: StatusWords },
): ToldRow[] {
  const isPaid = commission['is_paid'] === true;
  const status = wordOf(cellAt(commission, 'status'), { statuses, ours });
  // What is taken back is an adjustment, and no sale.
  const isBack = cellAt(commission, 'amount').startsWith('-');
  const isSale = cellAt(commission, 'commission_type') !== 'custom' && !isBack;
  const row: ToldRow = {
    kind: 'commissions',
    cells: {
      commission_id: cellAt(commission, 'id'),
      partner_id: promoterOf(commission),
      customer_id: cellAt(commission, 'referral', 'id'),
      known_as: cellAt(commission, 'referral', 'uid'),
      ...(isSale ? saleOf(commission) : {}),
      amount_cents: cellAt(commission, 'amount'),
      // What was denied is never paid, whatever else is said of it.
      status: isPaid && status !== 'void' ? 'paid' : status,
      occurred_at: cellAt(commission, 'created_at'),
      group: cellAt(commission, 'promoter_campaign', 'campaign', 'name'),
      note: cellAt(commission, 'external_note'),
    },
  };
  const unit = cellAt(commission, 'unit');
  if (unit === 'cash' || unit === '') return [row];
  return [{ ...row, problem: problemOf('UNIT_NOT_MONEY') }];
}

function saleOf(commission: Json): Record<string, string> {
  return {
    sale_id: cellAt(commission, 'event_id'),
    sale_amount_cents: cellAt(commission, 'sale_amount'),
  };
}
