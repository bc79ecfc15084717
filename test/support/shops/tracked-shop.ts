import { query } from '../../../entities/database/sql';
import type { ApiResponse } from '../api-client';
import type { TestApp } from '../app';
import { visitorUserAgent } from '../browser';
import { buildApiKey, type BuiltApiKey } from '../build/accounts';
import { buildParticipant, type BuiltParticipant } from '../build/programs';

/** The API's answer to a click; of a refusal, `code` and `details` only. */
interface ClickAnswer {
  click_id: string | null;
  visitor_token?: string;
  recorded: boolean;
  expires_at?: string;
  reason?: string;
  code?: string;
  details?: { field: string; message: string }[];
}

interface ClickColumns {
  id: string;
  url: string | null;
  referrer: string | null;
  userAgent: string | null;
  ipHash: string | null;
  creditable: boolean;
  linkId: string;
}

/** A shop whose pages send clicks, and its partner, whose code is Acme. Test mode. */
export interface TrackedShop {
  /** The public one. */
  key: BuiltApiKey;
  participant: BuiltParticipant;
  send(body: unknown, headers?: Record<string, string>): Promise<ApiResponse<ClickAnswer>>;
  /** Sends a click as the browser script does. */
  click(fields?: Record<string, unknown>): Promise<ApiResponse<ClickAnswer>>;
  /** The partner's, in their order. */
  storedClicks(): Promise<ClickColumns[]>;
}

export async function buildTrackedShop(app: TestApp): Promise<TrackedShop> {
  const db = app.deps.db.manager;
  const key = await buildApiKey(db, { kind: 'public', mode: 'test' });
  const participant = await buildParticipant(db, {
    workspaceId: key.workspaceId,
    mode: 'test',
    referralCode: 'Acme',
  });
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    app.client.post<ClickAnswer>('/v1/clicks', body, {
      headers: { 'User-Agent': visitorUserAgent, ...headers },
    });
  return {
    key,
    participant,
    send,
    click: (fields = {}) =>
      send(
        { key: key.key, ref: 'acme', ...fields },
        { 'Content-Type': 'text/plain;charset=UTF-8' },
      ),
    storedClicks: () =>
      query<ClickColumns>(
        db,
        `SELECT id, url, referrer, user_agent AS "userAgent", ip_hash AS "ipHash", creditable,
                link_id AS "linkId" FROM clicks WHERE participant_id = $1 ORDER BY id`,
        [participant.id],
      ),
  };
}
