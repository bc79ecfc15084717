import type { ConversionRecord } from '../../../activities/conversions/conversion';
import { query } from '../../../entities/database/sql';
import type { DecisionTrace } from '../../../entities/rules/attribution/conversion';
import type { ApiResponse, Caller } from '../api-client';
import type { TestApp } from '../app';
import { buildMember, buildPartner } from '../build/accounts';
import { buildClick, type ClickOverrides } from '../build/clicks';
import { buildConversion, type ConversionOverrides } from '../build/conversions';
import { buildParticipant, type BuiltParticipant } from '../build/programs';
import { callerOf } from '../callers';

interface Rule {
  rule: string;
  action: string;
  threshold: number | null;
}

/** The API's answer; of a refusal, `details` only. */
export interface Rules {
  rules: Rule[];
  details: { field: string }[];
}

/** A programme with one approved partner, whose fraud rules its admin sets. Live mode. */
export interface WatchedProgram {
  participant: BuiltParticipant;
  admin: Caller;
  /** The programme's address in the API. */
  base: string;
  put(rules: unknown): Promise<ApiResponse<Rules>>;
  set(rule: string, action: string, threshold?: number): Promise<void>;
  /** A conversion by a click that nothing is wrong with, but for what is told. */
  convert(clickFields?: ClickOverrides, fields?: ConversionOverrides): Promise<ConversionRecord>;
  /** The rules that hit, each with its value. */
  hitsOf(conversion: ConversionRecord): Promise<Record<string, unknown>>;
  prospect(email: string): { prospect: { email: string; hash: string } };
}

export async function buildWatchedProgram(app: TestApp): Promise<WatchedProgram> {
  const db = app.deps.db.manager;
  const partner = await buildPartner(db, { email: `Ann.Partner.${Date.now()}@gmail.com` });
  const participant = await buildParticipant(db, {
    partnerId: partner.id,
    partnerEmail: partner.email,
  });
  const { workspaceId } = participant;
  const admin = await callerOf(app, await buildMember(db, { workspaceId, role: 'admin' }));
  const base = `/api/v1/programs/${participant.programId}`;
  const put = (rules: unknown) => admin.put<Rules>(`${base}/fraud-rules`, { rules });
  return {
    participant,
    admin,
    base,
    put,
    async set(rule, action, threshold) {
      expect((await put([{ rule, action, threshold }])).status).toBe(200);
    },
    async convert(clickFields = {}, fields = {}) {
      const click = await buildClick(db, {
        participant,
        at: new Date(Date.now() - 3_600_000),
        ipHash: 'k:visitor',
        ...clickFields,
      });
      return buildConversion(db, { participant, clickId: click.id, ...fields });
    },
    async hitsOf(conversion) {
      const [decision] = await query<{ trace: DecisionTrace }>(
        db,
        'SELECT trace FROM attribution_decisions WHERE conversion_id = $1',
        [conversion.id],
      );
      const hits = decision?.trace.fraud_rules.filter(({ hit }) => hit) ?? [];
      return Object.fromEntries(hits.map(({ rule, value }) => [rule, value]));
    },
    prospect: (email) => ({ prospect: { email, hash: app.deps.vault.contactHash(email) } }),
  };
}
