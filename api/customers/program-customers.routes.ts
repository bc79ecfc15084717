import { bindByHand, unbindByHand } from '../../activities/purchases/bind-by-hand';
import { findCustomer, listCustomers } from '../../activities/customers/find';
import { commandContextOf } from '../../activities/journal/cause';
import { AppError, validationError } from '../../entities/errors';
import { maxCustomerIdLength } from '../../entities/rules/customers/binding';
import { namesNobody, withoutUnseenEnds } from '../../entities/rules/values/identifier';
import { keyProgramOf, programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage, windowOf } from '../http/contract/pagination';
import {
  BindCustomerBody,
  ProgramCustomerDto,
  ProgramCustomerQuery,
} from './program-customers.dto';
import { presentProgramCustomer } from './presenters';

const route = routesOf('Customers');
const path = '/api/v1/programs/:programId/customers';
const params = {
  programId: 'PROGRAM_NOT_FOUND',
  customerId: { text: 'CUSTOMER_NOT_FOUND' },
} as const;

/** The customers whom a programme's partners brought, for members. */
export const programCustomerRoutes: Route[] = [
  route.get(
    path,
    {
      name: 'listProgramCustomers',
      summary: "List the customers of a programme's partners",
      description: 'Those whom a partner of this programme has brought, with what they bought.',
      auth: merchant('viewer'),
      params: { programId: 'PROGRAM_NOT_FOUND' },
      query: ProgramCustomerQuery,
      responses: pageAnswer(ProgramCustomerDto),
      errors: ['AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const { participantId, customerId: name, source } = ctx.input.query;
      const filter = { programId, participantId, name, source, ...windowOf(ctx.input.query) };
      const found = await listCustomers(ctx.db, ctx.scope, filter);
      ctx.body = toPage(ctx, found, presentProgramCustomer);
    },
  ),

  route.put(
    `${path}/:customerId`,
    {
      name: 'bindCustomer',
      summary: 'Bind a customer to a partner, or bind them anew',
      description: [
        'What the customer pays from now on is credited to that partner, the renewals of Stripe',
        'too. The months of recurring terms go on from the first payment. An id that nobody has',
        'yet makes a customer.',
      ].join(' '),
      auth: merchant('admin'),
      params,
      body: BindCustomerBody,
      responses: { 200: { type: ProgramCustomerDto } },
      errors: [
        'PARTICIPANT_NOT_FOUND',
        'PROGRAM_ARCHIVED',
        'PARTICIPANT_NOT_APPROVED',
        'AMOUNT_TOO_LARGE',
      ],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const name = withoutUnseenEnds(ctx.input.params.customerId);
      if (name !== '' && namesNobody(name))
        throw validationError('customerId', 'must name one customer');
      if (name.length > maxCustomerIdLength) {
        const message = `must be text of 1 to ${maxCustomerIdLength} characters`;
        throw validationError('customerId', message);
      }
      await bindByHand(
        ctx.db,
        { ...commandContextOf(ctx), vault: ctx.deps.vault },
        { ...ctx.input.body, programId, name, isOfOneProgram: keyProgramOf(ctx) !== null },
      );
      const customer = await findCustomer(ctx.db, ctx.scope, { name, programId });
      if (!customer) throw new AppError('CUSTOMER_NOT_FOUND');
      ctx.body = presentProgramCustomer(customer);
    },
  ),

  route.delete(
    `${path}/:customerId`,
    {
      name: 'unbindCustomer',
      summary: 'Take the binding of a customer away',
      description: 'What they pay from now on is credited by its own signals only.',
      auth: merchant('admin'),
      params,
      responses: { 204: {} },
      errors: ['PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const name = withoutUnseenEnds(ctx.input.params.customerId);
      const context = { ...commandContextOf(ctx), vault: ctx.deps.vault };
      await unbindByHand(ctx.db, context, { programId, name });
      ctx.status = 204;
    },
  ),
];
