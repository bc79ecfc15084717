import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { beginImport, csvOf } from '../../support/imports';

const app = useApp();

/** What files of others have in cells, by accident or not. */
const odd: readonly string[] = [
  ...['', ' ', '0', '-1', '1e308', '9007199254740993', 'NaN', 'null', '%00', "'", '"', '\r', '|||'],
  ...['__proto__', 'constructor', 'toString', 'a|b|a', '=1+1', 'https://[::'],
  ...['\u202e', '\ufeff', '\uffff', '\u{1f600}'.repeat(300), 'x'.repeat(5_000)],
  ...['2026-13-45', '0000-01-01', '9999-12-31T23:59:59-23:59', '+275760-09-13T00:00:00.001Z'],
  '0001-01-01T00:00:00+23:59',
];

interface Kind {
  row: Record<string, string>;
  /** What sets a row apart from all others. */
  own: (n: number) => Record<string, string>;
}

const kinds: Readonly<Record<string, Kind>> = {
  partners: {
    row: {
      ...{ partner_id: 'p', email: 'p@partner.example', name: 'P', status: 'active', group: 'G' },
      ...{ payout_type: 'paypal', payout_email: 'p@pay.example', created_at: '2026-01-01' },
    },
    own: (n) => ({ partner_id: `p${n}`, email: `p${n}@partner.example` }),
  },
  links: {
    row: { partner_id: 'p', token: 't', kind: 'link', url: 'https://shop.example/' },
    own: (n) => ({ token: `t${n}` }),
  },
  customers: {
    row: {
      ...{ partner_id: 'p', customer_id: 'c', aliases: 'a' },
      ...{ bound_at: '2026-01-01', first_paid_at: '2026-01-01' },
    },
    own: (n) => ({ customer_id: `c${n}`, aliases: `a${n}` }),
  },
  commissions: {
    row: {
      ...{ commission_id: 'k', partner_id: 'p', customer_id: 'c', sale_id: 's', sale_amount: '10' },
      ...{ sale_refunded: '0', amount: '1', currency: 'usd', status: 'approved' },
      ...{ occurred_at: '2026-01-01', due_at: '2026-02-01', paid_at: '2026-03-01', note: 'n' },
    },
    own: (n) => ({ commission_id: `k${n}`, sale_id: `s${n}` }),
  },
};

/** One that is as it should be, and for each column one with each odd cell. */
function fileOf({ row, own }: Kind): string {
  const odds = Object.keys(row).flatMap((column) => odd.map((cell) => ({ [column]: cell })));
  return csvOf([row, ...odds.map((cell, n) => ({ ...row, ...own(n), ...cell }))]);
}

it('odd cells are problems of their rows, and the rest is booked', async () => {
  const { manager } = app.deps.db;
  const owner = await buildMember(manager);
  const api = await callerOf(app, owner);
  const { id: programId } = await buildProgram(manager, { workspaceId: owner.workspaceId });
  const files = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, fileOf(kind)]),
  );
  const body = { groupBy: 'campaign' };
  const one = await beginImport(app.deps, api, { programId, files, body });

  const checked = await one.check();
  expect([checked.status, checked.error]).toEqual(['checked', null]);
  const applied = await one.apply();
  expect([applied.status, applied.error]).toEqual(['applied', null]);
  for (const { kind, read, new: booked } of applied.report?.kinds ?? []) {
    expect([kind, read > booked, booked > 0]).toEqual([kind, true, true]);
  }
  for (const kind of Object.keys(kinds)) {
    expect((await api.get(`/api/v1/programs/${programId}/export/${kind}`)).status).toBe(200);
  }
});

it('what no text can hold is refused by its line', async () => {
  const { manager } = app.deps.db;
  const owner = await buildMember(manager);
  const api = await callerOf(app, owner);
  const { id: programId } = await buildProgram(manager, { workspaceId: owner.workspaceId });
  const one = await beginImport(app.deps, api, { programId });
  const answer = await one.put('partners', 'partner_id,email\np1,a@b.example\np\0,c@d.example\n');
  expect(answer.status).toBe(400);
  expect(answer.body['details']).toMatchObject([
    { field: 'body', message: expect.stringContaining('line 3') },
  ]);
});
