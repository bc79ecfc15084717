import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Db } from '../../../entities/database/sql';
import { buildMember, type BuiltMember } from './accounts';
import { buildSales, buildVisits } from './figures';
import { buildParticipant, buildProgram, type BuiltParticipant } from './programs';

export interface CountedProgram {
  owner: BuiltMember;
  program: Program;
  ava: BuiltParticipant;
  bea: BuiltParticipant;
  idle: BuiltParticipant;
  /** What analytics says of the programme in January 2026, unless the query asks for something else. */
  path(what: string, query?: Record<string, string>): string;
}

/** A programme with clicks and sales in January 2026 and before it, and one partner without any. */
export async function buildCountedProgram(db: Db): Promise<CountedProgram> {
  const owner = await buildMember(db);
  const program = await buildProgram(db, { workspaceId: owner.workspaceId });
  const ava = await buildParticipant(db, { program, partnerName: 'Ava 100%' });
  const bea = await buildParticipant(db, { program, partnerName: '=Bea_Blog' });
  const idle = await buildParticipant(db, { program, partnerName: 'Idle' });
  const day = new Date('2026-01-10T12:00:00Z');
  await buildVisits(db, [
    ...Array.from({ length: 3 }, () => ({ participant: ava, at: day })),
    ...Array.from({ length: 4 }, () => ({ participant: bea, at: day })),
    { participant: bea, at: new Date('2025-12-31T23:59:59.999Z') },
  ]);
  await buildSales(db, [
    { participant: ava, at: day, amountCents: 5_000, refundedCents: 1_000 },
    { participant: ava, at: day, amountCents: 700, currency: 'eur', flags: ['bot_click'] },
    { participant: ava, at: day, amountCents: 0, currency: null, promoCode: 'AVA10' },
    {
      participant: bea,
      at: new Date('2026-01-31T23:59:59.999Z'),
      amountCents: 900,
      isRejected: true,
      flags: ['bot_click', 'click_velocity'],
    },
    { participant: bea, at: new Date('2025-12-05T00:00:00Z'), amountCents: 2_000 },
  ]);
  const path: CountedProgram['path'] = (what, query = {}) =>
    `/api/v1/analytics/${what}?${new URLSearchParams({
      from: '2026-01-01',
      to: '2026-01-31',
      tz: 'UTC',
      programId: program.id,
      ...query,
    }).toString()}`;
  return { owner, program, ava, bea, idle, path };
}
