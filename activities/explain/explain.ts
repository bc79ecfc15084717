import { WorkflowNotFoundError } from '@temporalio/common';
import type { Deps } from '../../runtime/process/deps';
import { workflowIds } from '../../runtime/temporal/messages';
import { inTime, tooSlow } from './in-time';
import { findSubjects, type Subject, type SubjectKind } from './subject';
import { trailOf } from './trail';
import { verdictsOn } from './verdicts';

export interface Question {
  /** An id of ours, of a biller's or of the merchant's, or a request's. */
  name: string;
  endpointId: string | null;
  /** Requests are looked for since then. */
  since: Date;
  /** What each part of the answer may take; three seconds unless given. */
  partMs?: number;
}

type ExplainDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'temporal'>;

/** What is known of an id, in order, and why what was expected did not happen. Lines of text. */
export async function explain(deps: ExplainDeps, question: Question): Promise<string[]> {
  const { name, since } = question;
  const subjects = await findSubjects(deps.db.manager, name, since);
  if (subjects.length === 0) {
    return [
      `Nothing is known by ${name}. If it is an event: No event of this id was written, or it is over 31 days old.`,
    ];
  }
  const parts: string[][] = [];
  for (const subject of subjects) parts.push(await explainOne(deps, question, subject));
  return parts.flat();
}

async function explainOne(
  deps: ExplainDeps,
  { endpointId, partMs = 3_000 }: Question,
  subject: Subject,
): Promise<string[]> {
  const db = deps.db.manager;
  const { kind, id, workspaceId, mode } = subject;
  const where = workspaceId === null ? '' : `, workspace ${workspaceId}, ${mode ?? 'both modes'}`;
  const entries = await trailOf(db, subject, partMs);
  const asked = { subject, endpointId, now: deps.clock.now() };
  const verdicts = await inTime(db, partMs, {
    read: (tx) => verdictsOn(tx, deps.config, asked),
    orSay: () => `Why: ${tooSlow}`,
  });
  return [
    `${kind} ${id}${where}`,
    ...entries.map(({ at, what }) => `  ${at.toISOString()}  ${what}`),
    ...(await workflowsOf(deps, subject)),
    ...verdicts.map((verdict) => `=> ${verdict}`),
  ];
}

const workflowOf: Partial<Record<SubjectKind, (id: string) => string>> = {
  commission: workflowIds.commission,
  'webhook endpoint': workflowIds.webhookRetries,
  'Stripe event': workflowIds.stripeEvent,
  'Paddle event': workflowIds.stripeEvent,
  'Polar event': workflowIds.stripeEvent,
  'code at a biller': workflowIds.billerCode,
  mail: workflowIds.mail,
};

/** The status of the workflow and its pending activities; its details say the rest in Temporal Web. */
async function workflowsOf({ temporal }: ExplainDeps, { kind, id }: Subject): Promise<string[]> {
  const workflowId = workflowOf[kind]?.(id);
  if (workflowId === undefined) return [];
  try {
    return await temporal.within(3_000, async ({ workflow }) => {
      const handle = workflow.getHandle(workflowId);
      const { status, raw } = await handle.describe();
      const pending = (raw.pendingActivities ?? []).map(
        ({ activityType, attempt }) =>
          `, ${activityType?.name ?? 'an activity'} at attempt ${attempt ?? 1}`,
      );
      return [`  workflow ${workflowId}: ${status.name}${pending.join('')}`];
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) {
      const why = kind === 'mail' ? ', as long as no attempt has failed' : '';
      return [`  workflow ${workflowId}: there is none${why}`];
    }
    return [`  workflow ${workflowId}: Temporal did not answer`];
  }
}
