import { runImportTurn } from '../../../activities/imports/turn';
import type { ImportDto } from '../../../api/imports/imports.dto';
import type { Db } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { ApiResponse, Caller } from '../api-client';
import { useApp } from '../app';
import { buildMember } from '../build/accounts';
import { buildProgram } from '../build/programs';
import { callerOf } from '../callers';
import { cutover } from '../imports';
import { affiliate, campaign, commission, coupon, referral } from './rewardful-objects';
import { startFirstPromoter, startRewardful, startTolt, type Json, type Vendor } from './stand-in';

type Made = ImportDto & Record<string, unknown>;

export const credentials = { apiKey: 'good-key' };

export interface Sources {
  rewardful: Vendor;
  tolt: Vendor;
  firstPromoter: Vendor;
  app: ReturnType<typeof useApp>;
  db: Db;
  /** A caller as the owner of a workspace. */
  api: Caller;
  program: Program;
  /** The path of the programme's imports. */
  path: string;
  begin(body: object): Promise<ApiResponse<Made>>;
  /** Works until nothing is left, and gives how long it had to wait, in seconds. */
  work(importId: string): Promise<number[]>;
  check(body: object): Promise<{ read: ImportDto; waits: number[]; one: string }>;
  /** Begins an import and asks for its check. */
  ask(body: object): Promise<{ id: string; one: string }>;
  read(importId: string): Promise<ImportDto>;
}

/** Stand-ins of all sources by API, and before each test a programme of a workspace of its own. */
export function useSources(): Sources {
  const bases: Record<string, string> = {};
  const own = {} as Sources;
  const all = (): Vendor[] => [own.rewardful, own.tolt, own.firstPromoter];
  beforeAll(async () => {
    own.rewardful = await startRewardful();
    own.tolt = await startTolt();
    own.firstPromoter = await startFirstPromoter();
    Object.assign(bases, {
      REWARDFUL_API_BASE: own.rewardful.url,
      TOLT_API_BASE: own.tolt.url,
      FIRSTPROMOTER_API_BASE: own.firstPromoter.url,
    });
  });
  afterAll(() => Promise.all(all().map((vendor) => vendor.close())));
  own.app = useApp(bases);
  beforeEach(async () => {
    for (const vendor of all()) {
      Object.assign(vendor, { calls: [], lists: {}, moods: [], onCall: undefined });
      vendor.keys = new Set(['good-key']);
    }
    own.db = own.app.deps.db.manager;
    const owner = await buildMember(own.db);
    own.api = await callerOf(own.app, owner);
    const { workspaceId } = owner;
    own.program = await buildProgram(own.db, { workspaceId, currency: 'usd' });
    own.path = `/api/v1/programs/${own.program.id}/imports`;
    Object.assign(own, waysOf(own));
  });
  afterEach(() => own.app.deps.clock.set(undefined));
  return own;
}

function waysOf({
  app,
  api,
  path,
}: Sources): Pick<Sources, 'ask' | 'begin' | 'check' | 'read' | 'work'> {
  const begin: Sources['begin'] = (body) => api.post<Made>(path, { cutover, credentials, ...body });
  const read: Sources['read'] = async (id) => (await api.get<ImportDto>(`${path}/${id}`)).body;
  const ask: Sources['ask'] = async (body) => {
    const made = await begin(body);
    if (made.status !== 201) throw new Error(made.text);
    const one = `${path}/${made.body.id}`;
    const asked = await api.post(`${one}/check`);
    if (asked.status !== 202) throw new Error(asked.text);
    return { id: made.body.id, one };
  };
  const work: Sources['work'] = async (importId) => {
    const waits: number[] = [];
    for (;;) {
      const { isDone, waitMs } = await runImportTurn(app.deps, importId);
      if (isDone) return waits;
      if (waitMs === 0) continue;
      waits.push(Math.round(waitMs / 1_000));
      app.deps.clock.advance(waitMs);
    }
  };
  return {
    ask,
    begin,
    read,
    work,
    async check(body) {
      const { id, one } = await ask(body);
      const waits = await work(id);
      return { read: await read(id), waits, one };
    },
  };
}

/** A programme with something of each list, and what stands in place of some of them. */
export function rewardfulLists(more: Record<string, Json[]> = {}): Record<string, Json[]> {
  return {
    '/campaigns': [campaign('camp-1', 'Friends')],
    '/affiliates': [
      affiliate('ann', { wise_email: 'ann-wise@example.com' }),
      affiliate('bob', { state: 'disabled' }),
    ],
    '/affiliate_coupons': [coupon('ANN20', 'ann'), coupon('OLD', 'ann', { archived: true })],
    '/referrals': [
      referral('r1', 'ann'),
      referral('r2', 'bob', { conversion_state: 'lead', customer: null, stripe_customer_id: null }),
      referral('r3', 'bob', { deactivated_at: '2024-06-01T00:00:00.000Z' }),
      referral('r4', 'bob', { conversion_state: 'visitor' }),
    ],
    '/commissions': [
      commission('c1', 'ann'),
      commission('c2', 'ann', { state: 'paid', paid_at: '2024-05-01T00:00:00.000Z', amount: 999 }),
      commission('c3', 'bob', { state: 'voided', amount: 5 }),
    ],
    ...more,
  };
}
