import { eventEnvelope, publicEventId } from '../../../entities/rules/webhooks/envelope';
import {
  isAheadOfTime,
  judgeAttempt,
  parseRetryAfter,
  type Verdict,
} from '../../../entities/rules/webhooks/retry';
import type { Vault } from '../../../runtime/crypto/vault';
import type { Deps } from '../../../runtime/process/deps';
import type { OutboundAnswer } from '../../../runtime/outbound/http';
import { signedHeaders } from '../../../runtime/crypto/webhook-signature';
import type { ClaimedDelivery } from './claim';

type SendingDeps = Pick<Deps, 'config' | 'clock' | 'outbound'> & { vault: Pick<Vault, 'decrypt'> };

/** One attempt, made and judged but not yet recorded. */
export interface AttemptResult {
  claim: ClaimedDelivery;
  at: Date;
  answer: OutboundAnswer;
  verdict: Verdict;
  /** A probe before its time, which does not count in the schedule. */
  isAhead: boolean;
}

/** Sends a claimed delivery once. Never throws for what the receiver or the network does. */
export async function attemptDelivery(
  deps: SendingDeps,
  claim: ClaimedDelivery,
): Promise<AttemptResult> {
  const at = deps.clock.now();
  const body = JSON.stringify(eventEnvelope(claim.event));
  const messageId = publicEventId(claim.event.id);
  const answer = await deps.outbound.post({
    url: claim.url,
    headers: signedHeaders({
      messageId,
      body,
      at,
      secrets: validSecrets(deps, { ...claim, id: claim.endpointId }, at),
    }),
    body,
    timeoutMs: deps.config.webhooks.timeoutMs,
  });

  const now = deps.clock.now();
  const isAhead = isAheadOfTime(claim.nextAttemptAt, at);
  const verdict = judgeAttempt(
    { ...answer, retryAfterMs: parseRetryAfter(answer.retryAfter, now) },
    {
      attempt: claim.attempts - claim.attemptsBefore + 1,
      schedule: deps.config.webhooks.retrySchedule,
      dueAt: claim.nextAttemptAt,
      isAhead,
      now,
      random: Math.random(),
    },
  );
  return { claim, at, answer, verdict, isAhead };
}

/** The secrets of the endpoint with this id. */
export interface SealedSecrets {
  id: string;
  secretEncrypted: string;
  previousSecretEncrypted: string | null;
  previousSecretUntil: Date | null;
}

/** The current secret, and the previous one while a rotation overlaps. */
export function validSecrets(
  { vault }: Pick<SendingDeps, 'vault'>,
  sealed: SealedSecrets,
  at: Date,
): string[] {
  const { previousSecretEncrypted: previous, previousSecretUntil: until } = sealed;
  const overlaps = previous !== null && until !== null && until > at;
  const boxes = [sealed.secretEncrypted, ...(overlaps ? [previous] : [])];
  return boxes.map((box) => vault.decrypt(box, ['webhook_endpoints.secret', sealed.id]));
}
