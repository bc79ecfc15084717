import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Mode } from '../../../entities/rules/values/mode';
import type { Caller } from '../api-client';
import type { TestApp } from '../app';
import { buildMember, buildPartner, type BuiltPartner } from '../build/accounts';
import { buildProgram } from '../build/programs';
import { callerOf } from '../callers';

/** The path of the operation that accepts an invite. */
export const accept = '/api/v1/partner/invites/accept';

/** The answer to a token that opens nothing: its status and code. */
export const expired = [410, 'INVITE_EXPIRED'];

export function tokenOf(inviteUrl: string): string {
  return new URL(inviteUrl).searchParams.get('token') ?? '';
}

/** A programme, and a member of its workspace who invites partners to it. */
export interface Shop {
  api: Caller;
  program: Program;
  /** The invites of the programme. */
  path: string;
}

export interface InviteShops {
  openShop(mode?: Mode): Promise<Shop>;
  /** Invites this address, and takes the token out of the link. */
  invite(shop: Shop, email?: string): Promise<{ id: string; token: string }>;
  /** A partner who is in no programme. */
  partnerCaller(mode?: Mode): Promise<{ partner: BuiltPartner; api: Caller }>;
}

/** Shops in the app of a test file, which starts only after this is called. */
export function inviteShops(app: () => TestApp): InviteShops {
  return {
    async openShop(mode = 'live') {
      const db = app().deps.db.manager;
      const member = await buildMember(db, { role: 'member' });
      const program = await buildProgram(db, { workspaceId: member.workspaceId, mode });
      const api = await callerOf(app(), member, mode);
      return { api, program, path: `/api/v1/programs/${program.id}/invites` };
    },

    async invite(shop, email = 'anna@partner.example') {
      const created = await shop.api.post<{ id: string; inviteUrl: string }>(shop.path, { email });
      expect(created.status).toBe(201);
      return { id: created.body.id, token: tokenOf(created.body.inviteUrl) };
    },

    async partnerCaller(mode = 'live') {
      const partner = await buildPartner(app().deps.db.manager);
      return { partner, api: await callerOf(app(), partner, mode) };
    },
  };
}
