import { commandContextOf } from '../../activities/journal/cause';
import { replaceCommissionRules } from '../../activities/programs/programs';
import { commissionRuleOf, commissionRulesProblems } from '../../entities/rules/programs/terms';
import { backTestTerms } from '../../activities/back-test/back-test';
import { validationError } from '../../entities/errors';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  CommissionRulesDto,
  PutCommissionRulesBody,
  presentCommissionRules,
} from './commission-rules.dto';

import {
  TermsBackTestBody,
  TermsBackTestDto,
  termsBackTestExample,
  triedPeriodOf,
  triedProblems,
  triedTermsOf,
} from './terms-back-test.dto';

const route = routesOf('Programmes');
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const rulesPath = '/api/v1/programs/:programId/commission-rules';
const rulesAnswer = { 200: { type: CommissionRulesDto } };

/** The ordered list of rules of a programme. */
export const commissionRuleRoutes: Route[] = [
  route.get(
    rulesPath,
    {
      name: 'getCommissionRules',
      summary: 'Read the commission rules, in order',
      description:
        "The first rule that fits a sale decides its commission, whatever group its partner is in; without one the group's terms do, else the programme's.",
      auth: merchant('viewer'),
      params,
      responses: rulesAnswer,
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      ctx.body = presentCommissionRules(program.rules);
    },
  ),

  route.put(
    rulesPath,
    {
      name: 'replaceCommissionRules',
      summary: 'Replace the commission rules',
      description: 'All or nothing. Existing commissions keep the terms that applied to them.',
      auth: merchant('admin'),
      params,
      body: PutCommissionRulesBody,
      check: ({ rules }) => commissionRulesProblems(rules),
      responses: rulesAnswer,
      errors: ['PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const rules = ctx.input.body.rules.map(commissionRuleOf);
      const { notify = true } = ctx.input.body;
      const command = { programId, rules, notify };
      const stored = await replaceCommissionRules(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentCommissionRules(stored);
    },
  ),

  route.post(
    `${rulesPath}/back-test`,
    {
      name: 'backTestCommissionRules',
      summary: 'Try terms on the sales of a period',
      description: [
        'What the given terms, and those of today where none are given, make of sales that arrived in the',
        "period (90 days by default, 366 at most), with each partner's group of then and today's refunds.",
        'Stores nothing. One at a time of a workspace: another one gets 429 with Retry-After.',
      ].join(' '),
      auth: merchant('viewer'),
      params,
      body: TermsBackTestBody,
      bodyOptional: true,
      check: triedProblems,
      responses: { 200: { type: TermsBackTestDto, example: termsBackTestExample } },
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      const { body } = ctx.input;
      const period = triedPeriodOf(body, ctx.now);
      if ('field' in period) throw validationError(period.field, period.message);
      const question = { program, tried: triedTermsOf(body), ...period };
      ctx.body = await ctx.services.backTests.run(ctx.scope.workspaceId, () =>
        backTestTerms(ctx.db, ctx.scope, question),
      );
    },
  ),
];
