import { commandContextOf } from '../../activities/journal/cause';
import {
  decideParticipant,
  type ParticipantDecision,
} from '../../activities/partners/participant-decisions';
import { participantOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { participantParams as params, participantPath, participantsTag } from './participant-path';
import { ParticipantDto, ReasonBody, SuspendBody, presentParticipant } from './participants.dto';
import { getParticipantRow } from './participants.queries';

const route = routesOf(participantsTag);
const responses = { 200: { type: ParticipantDto } };
const errors = [
  'AMOUNT_TOO_LARGE',
  'PROGRAM_ARCHIVED',
  'PARTICIPANT_INVALID_TRANSITION',
  'PARTICIPANT_ERASED',
] as const;

/** The four decisions of a merchant; each notifies the partner by mail. */
export const participantDecisionRoutes: Route[] = [
  decisionOf('approve', {
    summary: 'Approve a pending or rejected participant',
    description: 'Their links and codes work from now on.',
  }),
  decisionOf('reject', {
    summary: 'Reject a pending participant',
    description: 'The partner reads the reason, and may be approved later.',
    body: ReasonBody,
  }),
  decisionOf('suspend', {
    summary: 'Suspend an approved participant',
    description:
      'Nothing more is credited to them, and no commission of theirs approved by itself.',
    body: SuspendBody,
  }),
  decisionOf('reinstate', {
    summary: 'Reinstate a suspended participant',
    description: 'Their links and codes work again from now on.',
  }),
];

function decisionOf(
  decision: ParticipantDecision,
  spec: { summary: string; description: string; body?: new () => Partial<SuspendBody> },
): Route {
  return route.patch(
    `${participantPath}/${decision}`,
    {
      name: `${decision}Participant`,
      ...spec,
      auth: merchant('member'),
      params,
      responses,
      errors,
    },
    async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      const command = { programId, participantId, decision, ...ctx.input.body };
      await decideParticipant(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
    },
  );
}
