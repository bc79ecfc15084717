import { commandContextOf } from '../../activities/journal/cause';
import {
  decideParticipant,
  type ParticipantDecision,
} from '../../activities/partners/participant-decisions';
import { participantOf } from '../access';
import { merchant } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { route, type Route } from '../http/contract/route';
import {
  participantErrors,
  participantParams as params,
  participantPath,
  participantsTag as tag,
} from './participant-path';
import {
  ParticipantDto,
  ReasonBody,
  SuspendBody,
  participantExample,
  presentParticipant,
} from './participants.dto';
import { getParticipantRow } from './participants.queries';

const responses = { 200: { type: ParticipantDto, example: participantExample } };
const errors = [
  ...participantErrors,
  'PROGRAM_ARCHIVED',
  'PARTICIPANT_INVALID_TRANSITION',
  'PARTICIPANT_ERASED',
] as const;

/** The four decisions of a merchant; each notifies the partner by mail. */
export const participantDecisionRoutes: Route[] = [
  plain('approve', 'Approve a pending or rejected participant'),
  reasoned('reject', 'Reject a pending participant', ReasonBody),
  reasoned('suspend', 'Suspend an approved participant', SuspendBody),
  plain('reinstate', 'Reinstate a suspended participant'),
];

function plain(decision: ParticipantDecision, summary: string): Route {
  return route.patch(
    `${decision}Participant`,
    `${participantPath}/${decision}`,
    contract({ summary, tag, auth: merchant('member'), params, responses, errors }, async (ctx) => {
      const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
      await decideParticipant(ctx.db, commandContextOf(ctx), {
        programId,
        participantId,
        decision,
      });
      ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
    }),
  );
}

function reasoned(
  decision: ParticipantDecision,
  summary: string,
  body: new () => SuspendBody,
): Route {
  return route.patch(
    `${decision}Participant`,
    `${participantPath}/${decision}`,
    contract(
      { summary, tag, auth: merchant('member'), params, body, responses, errors },
      async (ctx) => {
        const { id: participantId, programId } = await participantOf(ctx, ctx.input.params);
        const command = { programId, participantId, decision, ...ctx.input.body };
        await decideParticipant(ctx.db, commandContextOf(ctx), command);
        ctx.body = presentParticipant(await getParticipantRow(ctx.db, participantId));
      },
    ),
  );
}
