import { findCustomer, listCustomers } from '../../activities/customers/find';
import { commandContextOf } from '../../activities/journal/cause';
import { signUpCustomer } from '../../activities/purchases/sign-up';
import { AppError } from '../../entities/errors';
import { withoutUnseenEnds } from '../../entities/rules/values/identifier';
import { signalsOf } from '../conversions/report';
import { secretKeyOrMerchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage, windowOf } from '../http/contract/pagination';
import { CustomerBody, CustomerDto, CustomerQuery, SignedUpCustomerDto } from './customers.dto';
import { presentCustomer, presentSignUp } from './presenters';

const route = routesOf('Customers');

/** Who brought a merchant's customers, by secret key or by a member (docs/reference/customers.md). */
export const customerRoutes: Route[] = [
  route.post(
    '/api/v1/customers',
    {
      name: 'signUpCustomer',
      summary: 'Tell of a sign-up',
      description: [
        'Binds a customer to the partner whom the click or promo code names, judged as those of a',
        'conversion are, so that later sales need no more than `customer_id`. The first binding',
        'stays: it is answered with 200, whatever is sent later. Signals that do not hold are no',
        'error: 200 with `attributed: false` and the reason, and it may be asked again.',
      ].join(' '),
      auth: secretKeyOrMerchant('member', 'INVALID_API_KEY', 'conversions'),
      body: CustomerBody,
      responses: {
        201: { type: SignedUpCustomerDto },
        200: {
          type: SignedUpCustomerDto,
          description: 'Bound before, or not attributed.',
        },
      },
      errors: [
        'NO_ATTRIBUTION_SIGNAL',
        'MODE_MISMATCH',
        'CUSTOMER_ALIAS_TAKEN',
        'CUSTOMER_ALIAS_LIMIT',
        'AMOUNT_TOO_LARGE',
      ],
    },
    async (ctx) => {
      const { customer_id: customerId, aliases } = ctx.input.body;
      const signals = signalsOf(ctx.input.body, ctx.deps.vault);
      const signUp = { customerId, aliases: aliases ?? [], ...signals };
      const outcome = await signUpCustomer(
        ctx.db,
        { ...commandContextOf(ctx), vault: ctx.deps.vault },
        signUp,
      );
      ctx.status = outcome.kind === 'bound' ? 201 : 200;
      if (outcome.kind !== 'unattributed') {
        ctx.set('Location', `/api/v1/customers/${encodeURIComponent(customerId)}`);
      }
      ctx.body = presentSignUp(outcome, { customerId, mode: ctx.scope.mode, now: ctx.now });
    },
  ),

  route.get(
    '/api/v1/customers',
    {
      name: 'listCustomers',
      summary: 'List customers, the last bound first',
      description:
        'Those whom a partner has brought, with what they bought; nobody else is listed.',
      auth: secretKeyOrMerchant('viewer'),
      query: CustomerQuery,
      responses: pageAnswer(CustomerDto),
      errors: ['AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const { participant_id: participantId, program_id: programId, source } = ctx.input.query;
      const filter = { participantId, programId, source, ...windowOf(ctx.input.query) };
      const found = await listCustomers(ctx.db, ctx.scope, filter);
      ctx.body = toPage(ctx, found, presentCustomer);
    },
  ),

  route.get(
    '/api/v1/customers/:customerId',
    {
      name: 'getCustomer',
      summary: 'Get a customer',
      description: 'By any id of theirs, percent-encoded.',
      auth: secretKeyOrMerchant('viewer'),
      params: { customerId: { text: 'CUSTOMER_NOT_FOUND' } },
      responses: { 200: { type: CustomerDto } },
      errors: ['AMOUNT_TOO_LARGE'],
    },
    async (ctx) => {
      const name = withoutUnseenEnds(ctx.input.params.customerId);
      const customer = await findCustomer(ctx.db, ctx.scope, { name });
      if (!customer) throw new AppError('CUSTOMER_NOT_FOUND');
      ctx.body = presentCustomer(customer);
    },
  ),
];
