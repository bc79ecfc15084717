import type { Db } from '../../entities/database/sql';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { ApiResponse, Caller } from './api-client';
import { useApp } from './app';
import { buildApiKey, buildMember, type BuiltMember } from './build/accounts';
import { buildProgram } from './build/programs';
import { callerOf } from './callers';
import { beginImport, csvOf, type Files, type ImportApi } from './imports';

export const partners = csvOf([
  {
    partner_id: 'p1',
    email: 'ann@example.com',
    name: 'Ann',
    status: 'active',
    payout_email: 'ann.pays@example.com',
    created_at: '2024-01-01',
  },
  { partner_id: 'p2', email: 'bob@example.com', name: 'Bob', status: 'active' },
  { partner_id: 'p3', email: 'ANN@example.com', name: 'Ann again', status: 'active' },
]);
export const links = csvOf([
  { partner_id: 'p1', token: 'Ann.Smith', kind: 'link' },
  { partner_id: 'p1', token: 'ann-smith', kind: 'link' },
  { partner_id: 'p1', token: 'ANN10', kind: 'code' },
  { partner_id: 'p2', token: 'b', kind: 'link' },
  { partner_id: 'p2', token: 'ann.smith', kind: 'link' },
  { partner_id: 'p3', token: 'x'.repeat(100), kind: 'link' },
]);
export const customers = csvOf([
  {
    partner_id: 'p1',
    customer_id: 'u1',
    aliases: 'cus_1',
    bound_at: '2025-06-01',
    first_paid_at: '2025-06-10',
  },
  {
    partner_id: 'p2',
    customer_id: 'u2',
    aliases: '',
    bound_at: '2026-05-01',
    first_paid_at: '2026-05-01',
  },
]);
export const sale = { partner_id: 'p1', customer_id: 'u1', currency: 'usd', sale_amount: '100.00' };
export const commissions = csvOf([
  {
    ...sale,
    commission_id: 'c1',
    sale_id: 'ch_1|in_1',
    amount: '20.00',
    status: 'paid',
    occurred_at: '2025-06-10',
    paid_at: '2025-08-01',
  },
  {
    ...sale,
    commission_id: 'c2',
    sale_id: 'ch_2',
    amount: '20.00',
    status: 'pending',
    occurred_at: '2026-05-20',
    due_at: '2099-01-01',
  },
  {
    ...sale,
    commission_id: 'c3',
    sale_id: 'ch_3',
    amount: '20.00',
    status: 'approved',
    occurred_at: '2026-04-20',
  },
  {
    ...sale,
    commission_id: 'c4',
    sale_id: '',
    sale_amount: '',
    amount: '-5.00',
    status: 'approved',
    occurred_at: '2026-05-03',
  },
  {
    ...sale,
    commission_id: 'c5',
    sale_id: 'ch_5',
    amount: '7.00',
    status: 'void',
    occurred_at: '2026-05-03',
  },
  {
    ...sale,
    commission_id: 'c6',
    sale_id: 'ch_6',
    amount: '10.00',
    status: 'approved',
    occurred_at: '2026-05-04',
    sale_refunded: '50.00',
  },
  {
    ...sale,
    commission_id: 'c7',
    sale_id: 'ch_1',
    partner_id: 'p2',
    amount: '1.00',
    status: 'approved',
    occurred_at: '2025-06-10',
  },
  {
    ...sale,
    commission_id: 'c8',
    sale_id: 'ch_8',
    amount: '20.00',
    status: 'pending',
    occurred_at: '2026-07-01',
  },
]);
export const files = { partners, links, customers, commissions };

export interface ListedCommission {
  id: string;
  status: string;
  commissionType: string;
  amountCents: number;
  conversionId: string | null;
  externalTransactionId: string | null;
  partnerName: string;
  terms: object | null;
}

export interface ListedPartner {
  id: string;
  partnerName: string;
  referralCode: string;
  promoCodes: string[];
  status: string;
}

interface Reported extends Record<string, unknown> {
  attributed: boolean;
  attribution: { reason: string; participant_id: string };
  commission: object | null;
}

export interface ImportShop {
  app: ReturnType<typeof useApp>;
  db: Db;
  /** A caller as the shop's owner. */
  api: Caller;
  /** A caller with the shop's secret key. */
  shop: Caller;
  owner: BuiltMember;
  program: Program;
  begin(given?: Files, body?: object): Promise<ImportApi>;
  /** Checked and applied. */
  bring(given?: Files): Promise<ImportApi>;
  /** The programme's, oldest first. */
  listCommissions(): Promise<ListedCommission[]>;
  /** The partners of the programme, sorted by name. */
  partnersHere(): Promise<ListedPartner[]>;
  click(ref: string): Promise<ApiResponse>;
  /** A purchase of 100 dollars. */
  report(body: object): Promise<ApiResponse<Reported>>;
}

/**
 * A shop for each test: a workspace of its own with a programme of a year's commissions, into which
 * `files` may be brought.
 */
export function useImportShop(): ImportShop {
  const app = useApp();
  const own = { app } as ImportShop;
  beforeEach(async () => {
    own.db = app.deps.db.manager;
    own.owner = await buildMember(own.db);
    own.api = await callerOf(app, own.owner);
    const { workspaceId } = own.owner;
    const terms = { recurring: true, recurringMonths: 12, holdDays: 30 };
    own.program = await buildProgram(own.db, { workspaceId, ...terms });
    const scope = { workspaceId, mode: 'live' as const };
    own.shop = app.client.as((await buildApiKey(own.db, { ...scope, kind: 'secret' })).key);
    const { key } = await buildApiKey(own.db, { ...scope, kind: 'public' });
    Object.assign(own, waysOf(own, key));
  });
  afterEach(() => app.deps.clock.set(undefined));
  return own;
}

type Ways = Pick<
  ImportShop,
  'begin' | 'bring' | 'click' | 'listCommissions' | 'partnersHere' | 'report'
>;

function waysOf({ app, api, shop, program }: ImportShop, publicKey: string): Ways {
  const base = `/api/v1/programs/${program.id}`;
  const listed = async <Row>(path: string): Promise<Row[]> =>
    (await api.get<{ data: Row[] }>(`${base}${path}`)).body.data;
  const begin: ImportShop['begin'] = (given = files, body = {}) =>
    beginImport(app.deps, api, { programId: program.id, files: given, body });
  return {
    begin,
    async bring(given) {
      const one = await begin(given);
      await one.check();
      expect((await one.apply()).status).toBe('applied');
      return one;
    },
    listCommissions: () => listed('/commissions?limit=100&sortBy=createdAt&sortOrder=asc'),
    partnersHere: () => listed('/partners?sortBy=partnerName&sortOrder=asc'),
    click: (ref) => app.client.post('/v1/clicks', { key: publicKey, ref }),
    report: (body) =>
      shop.post('/api/v1/conversions', {
        ...{ event_type: 'purchase', amount_cents: 10_000, currency: 'usd' },
        ...body,
      }),
  };
}
