import type { Mode } from '../../../entities/rules/values/mode';
import type { Caller } from '../api-client';
import type { TestApp } from '../app';
import { buildApiKey, buildMember, buildPartner } from '../build/accounts';
import { buildParticipant, buildPromoCode, buildProgram } from '../build/programs';
import { callerOf } from '../callers';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Conversion } from '../shops/reporting-merchant';

export interface Group {
  id: string;
  name: string;
  isDefault: boolean;
  participants: number;
  publicApplications: boolean;
  commission: Record<string, unknown> | null;
}

/** A programme whose terms an admin changes, whose server reports sales. */
export interface TermsShop {
  program: Program;
  /** An admin's calls. */
  api: Caller;
  /** Below the programme. */
  path: string;
  group(body?: Record<string, unknown>): Promise<Group>;
  /** An approved partner with a code and an account, and a call as them. */
  partner(): Promise<Member>;
  /** A sale by the partner's code: 100.00 usd unless told otherwise. */
  sale(member: Member, fields?: Record<string, unknown>): Promise<Conversion>;
  /** The commission of a sale as an admin reads it. */
  commissionOf(sale: Conversion): Promise<Record<string, unknown>>;
}

export interface Member {
  id: string;
  partnerId: string;
  code: string;
  path: string;
}

let sales = 0;

export async function openTermsShop(
  app: TestApp,
  mode: Mode = 'test',
  overrides: Partial<Program> = {},
): Promise<TermsShop> {
  const db = app.deps.db.manager;
  const admin = await buildMember(db, { role: 'admin' });
  const { workspaceId } = admin;
  const program = await buildProgram(db, { workspaceId, mode, name: 'Tea shop', ...overrides });
  const api = await callerOf(app, admin, mode);
  const { key } = await buildApiKey(db, { workspaceId, mode });
  const server = app.client.as(key);
  const path = `/api/v1/programs/${program.id}`;
  return {
    program,
    api,
    path,
    async group(body = {}) {
      const name = `Group ${String((sales += 1))}`;
      const made = await api.post<Group>(`${path}/groups`, { name, ...body });
      expect(made.status).toBe(201);
      return made.body;
    },
    async partner() {
      const { id: partnerId } = await buildPartner(db);
      const participant = await buildParticipant(db, { program, partnerId });
      const { code } = await buildPromoCode(db, participant);
      return { id: participant.id, partnerId, code, path: `${path}/partners/${participant.id}` };
    },
    async sale(member, fields = {}) {
      const told = await server.post<Conversion>('/api/v1/conversions', {
        external_transaction_id: `order-${String((sales += 1))}-${program.id}`,
        event_type: 'purchase',
        promo_code: member.code,
        amount_cents: 10_000,
        currency: 'usd',
        ...fields,
      });
      expect([told.status, told.body.code]).toEqual([201, undefined]);
      return told.body;
    },
    async commissionOf(sale) {
      const read = await api.get(`${path}/commissions/${sale.commission?.id ?? ''}`);
      return read.body;
    },
  };
}

export const percent = (rateBps: number, more: Record<string, unknown> = {}) => ({
  type: 'percentage',
  rateBps,
  ...more,
});
