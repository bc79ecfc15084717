import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Caller } from '../api-client';
import type { TestApp } from '../app';
import { buildMember, buildPartner } from '../build/accounts';
import {
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
  type ParticipantOverrides,
} from '../build/programs';
import { callerOf } from '../callers';

/** A programme, and a member of its workspace who decides about its participants. */
export interface Shop {
  api: Caller;
  program: Program;
  /** The participants of the programme. */
  path: string;
}

export interface ParticipantShops {
  openShop(mode?: Mode, overrides?: Partial<Program>): Promise<Shop>;
  /** A new partner in the programme of a shop. */
  join(shop: Shop, overrides?: ParticipantOverrides): Promise<BuiltParticipant & { path: string }>;
}

/** Shops in the app of a test file, which starts only after this is called. */
export function participantShops(app: () => TestApp): ParticipantShops {
  return {
    async openShop(mode = 'live', overrides = {}) {
      const db = app().deps.db.manager;
      const member = await buildMember(db, { role: 'member' });
      const program = await buildProgram(db, {
        workspaceId: member.workspaceId,
        mode,
        name: 'Tea shop',
        ...overrides,
      });
      const api = await callerOf(app(), member, mode);
      return { api, program, path: `/api/v1/programs/${program.id}/partners` };
    },

    async join(shop, overrides = {}) {
      const db = app().deps.db.manager;
      const partner = await buildPartner(db);
      const participant = await buildParticipant(db, {
        program: shop.program,
        partnerId: partner.id,
        partnerEmail: partner.email,
        ...overrides,
      });
      return { ...participant, path: `${shop.path}/${participant.id}` };
    },
  };
}
