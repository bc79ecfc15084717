import type { ClickRecord } from '../../../activities/clicks/clicks';
import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import type { ApiResponse, Caller } from '../api-client';
import type { TestApp } from '../app';
import { buildApiKey } from '../build/accounts';
import { buildClick } from '../build/clicks';
import { buildParticipant, buildPromoCode, type BuiltParticipant } from '../build/programs';

interface Attribution {
  reason: string;
  matched_by: string | null;
  click_id: string | null;
  promo_code: string | null;
  participant_id: string | null;
  window_ends_at: string | null;
}

/** The API's answer to a report; of a refusal, `code` and `details` only. */
export interface Conversion {
  id: string;
  external_transaction_id: string;
  attributed: boolean;
  attribution: Attribution;
  commission: { id: string; status: string; amount_cents: number } | null;
  event_type: string;
  amount_cents: number;
  currency: string | null;
  occurred_at: string;
  customer_id: string | null;
  metadata: Record<string, unknown> | null;
  refunded_amount_cents: number;
  created_at: string;
  code: string;
  details: { field: string; message: string }[];
}

/** A workspace that reports its conversions by the API, with one approved partner. Test mode. */
export interface ReportingMerchant {
  /** Calls with the secret key. */
  merchant: Caller;
  participant: BuiltParticipant;
  /** The click, made an hour ago. */
  click: ClickRecord;
  promoCode: string;
  /** A report by the click under a fresh id, but for what is told. */
  body(fields?: Record<string, unknown>): Record<string, unknown>;
  /** Sends such a report. */
  report(
    fields?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<ApiResponse<Conversion>>;
  /** How many conversions the workspace has. */
  storedCount(): Promise<number>;
}

export async function buildReportingMerchant(app: TestApp): Promise<ReportingMerchant> {
  const db = app.deps.db.manager;
  const key = await buildApiKey(db, { mode: 'test' });
  const merchant = app.client.as(key.key);
  const participant = await buildParticipant(db, { workspaceId: key.workspaceId, mode: 'test' });
  const click = await buildClick(db, { participant, at: new Date(Date.now() - 3_600_000) });
  const promoCode = (await buildPromoCode(db, participant)).code;

  const body = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
    external_transaction_id: `order_${newId()}`,
    event_type: 'purchase',
    click_id: click.id,
    amount_cents: 4_900,
    currency: 'usd',
    ...fields,
  });
  return {
    merchant,
    participant,
    click,
    promoCode,
    body,
    report: (fields = {}, headers = {}) =>
      merchant.post<Conversion>('/api/v1/conversions', body(fields), {
        headers,
        // Bare reports share their commits, as those of most shops do.
        isBare: headers['Idempotency-Key'] === undefined,
      }),
    async storedCount() {
      const [row] = await query<{ total: number }>(
        db,
        'SELECT count(*) AS total FROM conversions WHERE workspace_id = $1',
        [participant.workspaceId],
      );
      return row?.total ?? -1;
    },
  };
}
