import type { ImportReportDto } from '../../api/imports/imports.dto';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { Caller } from './api-client';
import type { TestApp } from './app';
import { buildApiKey, buildMember, type BuiltMember } from './build/accounts';
import { buildProgram } from './build/programs';
import { callerOf } from './callers';
import { beginImport, cutover } from './imports';

export interface LeavingShop {
  app: TestApp;
  owner: BuiltMember;
  /** A caller as the shop's owner. */
  api: Caller;
  /** A caller with the shop's secret key. */
  shop: Caller;
  program: Program;
}

/** A workspace with a programme of 20 % for a year. */
export async function openLeavingShop(
  app: TestApp,
  more: Partial<Program> = {},
): Promise<LeavingShop> {
  const db = app.deps.db.manager;
  const owner = await buildMember(db);
  const { workspaceId } = owner;
  const terms = { recurring: true, recurringMonths: 12, rateBps: 2_000, holdDays: 30 };
  const program = await buildProgram(db, { workspaceId, ...terms, ...more });
  const key = await buildApiKey(db, { workspaceId, mode: 'live', kind: 'secret' });
  return { app, owner, api: await callerOf(app, owner), shop: app.client.as(key.key), program };
}

const kinds = ['partners', 'links', 'customers', 'commissions'] as const;

export type Exported = Record<string, string>;

/** All files of a programme, by their kind. */
export async function exported({ api, program }: LeavingShop, query = ''): Promise<Exported> {
  const files: Exported = {};
  for (const kind of kinds) {
    const answer = await api.get(`/api/v1/programs/${program.id}/export/${kind}${query}`);
    expect(answer.status).toBe(200);
    files[kind] = answer.text;
  }
  return files;
}

/** Rows without our ids and times of import: each partner is known by their address. */
export function comparable(files: Exported): Record<string, string[]> {
  const emails = new Map(
    (files['partners'] ?? '')
      .split('\r\n')
      .map((line) => line.split(',').slice(0, 2) as [string, string]),
  );
  const own = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  return Object.fromEntries(
    Object.entries(files).map(([kind, text]) => [
      kind,
      text
        .split('\r\n')
        .map((line) => line.replace(own, (id) => emails.get(id) ?? 'id'))
        .sort(),
    ]),
  );
}

/** Imports files of which every row is good; gives the report of the check. */
export async function bring(
  to: LeavingShop,
  files: Exported,
  body: object = {},
): Promise<ImportReportDto | null> {
  const { app, api, program } = to;
  const given = { programId: program.id, files, body: { cutover, ...body } };
  const one = await beginImport(app.deps, api, given);
  const checked = await one.check();
  expect(checked.report?.problems).toEqual({ count: 0, sample: [] });
  const applied = await one.apply();
  expect([applied.status, applied.report?.problems.count]).toEqual(['applied', 0]);
  return checked.report;
}
