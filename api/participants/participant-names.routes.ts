import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { routesOf, type Route } from '../http/contract/route';
import { ParticipantNameDto, ParticipantNameQuery } from './participant-names.dto';
import { listParticipantNames } from './participant-names.queries';
import { participantsTag } from './participant-path';

const route = routesOf(participantsTag);

export const participantNameRoutes: Route[] = [
  route.get(
    '/api/v1/workspace/partners',
    {
      name: 'listParticipantNames',
      summary: 'List the participants of all programmes by name, of the current mode',
      description: [
        'Without codes and sums: to find somebody whose programme is not known, and to name those whose',
        'ids stand elsewhere. An id that is not of your workspace and mode is left out.',
      ].join(' '),
      auth: merchant('viewer'),
      query: ParticipantNameQuery,
      responses: pageAnswer(ParticipantNameDto),
      errors: ['PROGRAM_NOT_FOUND'],
    },
    async (ctx) => {
      const { programId } = ctx.input.query;
      if (programId) await programOf(ctx, programId);
      const found = await listParticipantNames(ctx.db, ctx.scope, ctx.input.query);
      ctx.body = toPage(ctx, found, (name): ParticipantNameDto => name);
    },
  ),
];
