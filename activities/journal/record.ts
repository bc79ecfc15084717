import type { Scope } from '../../entities/rules/values/mode';
import type { Tx } from '../../entities/database/sql';
import { recordAudit } from './audit';
import type { AuditEntry } from './rows';
import type { Cause, CommandContext, WorkspaceContext } from './cause';
import { recordEvent, type EventDraft } from './events';
import { queueMails, type NewMail } from './mail-queue';
import { enqueueAll, type OutboxItem } from './outbox';

/** What a change leaves behind, beside its rows. */
export interface Effects {
  audit?: Pick<AuditEntry, 'action' | 'target' | 'details'> & {
    /** Where the context has no scope: the workspace that it concerns, null for none. */
    workspaceId?: string | null;
  };
  /** Events of the context's scope. */
  events?: readonly EventDraft[];
  mails?: readonly Omit<NewMail, 'at' | 'requestId'>[];
  /** Further work for the relay. */
  work?: readonly Omit<OutboxItem, 'availableAt'>[];
}

/** Writes what a change leaves behind, in the transaction of the change, dated by its context. */
export async function record(
  tx: Tx,
  context: Cause | WorkspaceContext | CommandContext,
  effects: Effects,
): Promise<void> {
  const { now: at, requestId } = context;
  const { workspaceId, mode } = scopeOf(context);
  if (effects.audit) await recordAudit(tx, auditEntry(context, effects.audit, workspaceId));
  for (const event of effects.events ?? []) {
    if (!workspaceId || !mode) throw new Error('an event belongs to a workspace and a mode');
    await recordEvent(tx, { workspaceId, mode }, { ...event, at, requestId });
  }
  await queueMails(
    tx,
    (effects.mails ?? []).map((mail) => ({ ...mail, at, requestId })),
  );
  await enqueueAll(
    tx,
    (effects.work ?? []).map((item) => ({ workspaceId, requestId, ...item, availableAt: at })),
  );
}

function scopeOf(context: Cause | WorkspaceContext): Partial<Scope> {
  return 'scope' in context ? context.scope : {};
}

function auditEntry(
  { actor, requestId, now }: Cause,
  { workspaceId, action, target, details }: NonNullable<Effects['audit']>,
  ofScope: string | undefined,
): AuditEntry {
  const about = { workspaceId: workspaceId ?? ofScope ?? null, action, target, details };
  return { ...about, actor, requestId, at: now };
}
