import { commandContextOf } from '../../activities/journal/cause';
import { replaceCommissionRules } from '../../activities/programs/programs';
import { commissionRuleOf, commissionRulesProblems } from '../../entities/rules/programs/terms';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import {
  CommissionRulesDto,
  commissionRulesExample,
  presentCommissionRules,
} from './commission-rules.dto';

const route = routesOf('Programmes');
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const rulesPath = '/api/v1/programs/:programId/commission-rules';
const rulesAnswer = { 200: { type: CommissionRulesDto, example: commissionRulesExample } };

/** The ordered list of rules of a programme. */
export const commissionRuleRoutes: Route[] = [
  route.get(
    rulesPath,
    {
      name: 'getCommissionRules',
      summary: 'Read the commission rules, in order',
      description:
        "The first rule that fits a sale decides its commission; without one, the programme's terms do.",
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
      body: CommissionRulesDto,
      check: ({ rules }) => commissionRulesProblems(rules),
      responses: rulesAnswer,
      errors: ['PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const rules = ctx.input.body.rules.map(commissionRuleOf);
      const command = { programId, rules };
      const stored = await replaceCommissionRules(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentCommissionRules(stored);
    },
  ),
];
