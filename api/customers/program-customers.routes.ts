import { bindByHand, unbindByHand } from '../../activities/customers/bind-by-hand';
import { findCustomer, listCustomers } from '../../activities/customers/find';
import { commandContextOf } from '../../activities/journal/cause';
import { AppError, validationError } from '../../entities/errors';
import { maxCustomerIdLength } from '../../entities/rules/customers/binding';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { contract } from '../http/contract/contract';
import { present } from '../http/contract/present';
import { route, type Route } from '../http/contract/route';
import { pageAnswer, pageWindow, toPage } from '../http/contract/pagination';
import {
  BindCustomerBody,
  ProgramCustomerDto,
  ProgramCustomerQuery,
  programCustomerExample,
} from './program-customers.dto';

const tag = 'Customers';
const path = '/api/v1/programs/:programId/customers';
const params = {
  programId: 'PROGRAM_NOT_FOUND',
  customerId: { text: 'CUSTOMER_NOT_FOUND' },
} as const;

/** The customers whom a programme's partners brought, for members. */
export const programCustomerRoutes: Route[] = [
  route.get(
    'listProgramCustomers',
    path,
    contract(
      {
        summary: "List the customers of a programme's partners",
        tag,
        auth: merchant('viewer'),
        params: { programId: 'PROGRAM_NOT_FOUND' },
        query: ProgramCustomerQuery,
        responses: pageAnswer(ProgramCustomerDto, programCustomerExample),
        errors: ['AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const { id: programId } = await programOf(ctx, ctx.input.params.programId);
        const { participantId, customerId: name, source } = ctx.input.query;
        const filter = { programId, participantId, name, source, ...pageWindow(ctx.input.query) };
        const { rows, total } = await listCustomers(ctx.db, ctx.scope, filter);
        const data = rows.map((customer) => present(ProgramCustomerDto, customer));
        ctx.body = toPage(data, total, ctx.input.query);
      },
    ),
  ),

  route.put(
    'bindCustomer',
    `${path}/:customerId`,
    contract(
      {
        summary: 'Bind a customer to a partner, or bind them anew',
        tag,
        description: [
          'What the customer pays from now on is credited to that partner, the renewals of Stripe',
          'too. The months of recurring terms go on from the first payment. An id that nobody has',
          'yet makes a customer.',
        ].join(' '),
        auth: merchant('admin'),
        params,
        body: BindCustomerBody,
        responses: { 200: { type: ProgramCustomerDto, example: programCustomerExample } },
        errors: ['PARTICIPANT_NOT_FOUND', 'PARTICIPANT_NOT_APPROVED', 'AMOUNT_TOO_LARGE'],
      },
      async (ctx) => {
        const { id: programId } = await programOf(ctx, ctx.input.params.programId);
        const { customerId: name } = ctx.input.params;
        if (name.length > maxCustomerIdLength) {
          const message = `must be text of 1 to ${maxCustomerIdLength} characters`;
          throw validationError('customerId', message);
        }
        await bindByHand(ctx.db, commandContextOf(ctx), { ...ctx.input.body, programId, name });
        const customer = await findCustomer(ctx.db, ctx.scope, { name });
        if (!customer) throw new AppError('CUSTOMER_NOT_FOUND');
        ctx.body = present(ProgramCustomerDto, customer);
      },
    ),
  ),

  route.delete(
    'unbindCustomer',
    `${path}/:customerId`,
    contract(
      {
        summary: 'Take the binding of a customer away',
        tag,
        description: 'What they pay from now on is credited by its own signals only.',
        auth: merchant('admin'),
        params,
        responses: { 204: {} },
      },
      async (ctx) => {
        const { id: programId } = await programOf(ctx, ctx.input.params.programId);
        const { customerId: name } = ctx.input.params;
        await unbindByHand(ctx.db, commandContextOf(ctx), { programId, name });
        ctx.status = 204;
      },
    ),
  ),
];
