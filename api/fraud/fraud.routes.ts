import { backTestFraudRules } from '../../activities/programs/fraud-back-test';
import {
  fraudRuleProblems,
  getFraudSettings,
  updateFraudRules,
} from '../../activities/programs/fraud-settings';
import { resolveFraudFlag } from '../../activities/programs/fraud-flags';
import { commandContextOf } from '../../activities/journal/cause';
import { defaultFraudSettings } from '../../entities/rules/fraud/fraud';
import { programOf } from '../access';
import { merchant } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { pageAnswer, toPage } from '../http/contract/pagination';
import { backTestPeriod, periodProblems } from './back-test-period';
import {
  BackTestBody,
  BackTestDto,
  FraudFlagDto,
  FraudFlagFilter,
  FraudRulesBody,
  FraudRulesDto,
  ResolveFlagBody,
  presentFraudRules,
} from './fraud.dto';
import { backTestExample, resolvedFlagExample } from './fraud.examples';
import { getFraudFlag, listFraudFlags } from './fraud.queries';
import { presentFraudFlag } from './presenters';

const route = routesOf('Fraud');
const path = '/api/v1/programs/:programId';
const params = { programId: 'PROGRAM_NOT_FOUND' } as const;
const rules = {
  200: { type: FraudRulesDto, example: presentFraudRules(defaultFraudSettings) },
};

/** A programme's fraud rules and what they found (docs/reference/analytics.md, Fraud rules). */
export const fraudRoutes: Route[] = [
  route.get(
    `${path}/fraud-rules`,
    {
      name: 'getFraudRules',
      summary: 'Get all fraud rules of a programme',
      description:
        'All that there are, with the action and threshold of each, those that are switched off too.',
      auth: merchant('viewer'),
      params,
      responses: rules,
    },
    async (ctx) => {
      const program = await programOf(ctx, ctx.input.params.programId);
      ctx.body = presentFraudRules(await getFraudSettings(ctx.db, ctx.scope, program.id));
    },
  ),

  route.put(
    `${path}/fraud-rules`,
    {
      name: 'updateFraudRules',
      summary: 'Set fraud rules of a programme',
      description: 'Sets the rules that are named; the others stay. All or nothing.',
      auth: merchant('admin'),
      params,
      body: FraudRulesBody,
      check: (body) => fraudRuleProblems(body.rules),
      responses: rules,
      errors: ['PROGRAM_ARCHIVED'],
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const command = { programId, changes: ctx.input.body.rules };
      const settings = await updateFraudRules(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentFraudRules(settings);
    },
  ),

  route.get(
    `${path}/fraud-flags`,
    {
      name: 'listFraudFlags',
      summary: 'List what the fraud rules found, newest first',
      description: 'One entry for each conversion and rule, with conversion and commission.',
      auth: merchant('viewer'),
      params,
      query: FraudFlagFilter,
      responses: pageAnswer(FraudFlagDto),
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const filter = { ...ctx.input.query, programId };
      const found = await listFraudFlags(ctx.db, ctx.scope, filter);
      ctx.body = toPage(ctx, found, presentFraudFlag);
    },
  ),

  route.post(
    `${path}/fraud-flags/:flagId/resolve`,
    {
      name: 'resolveFraudFlag',
      summary: 'Close a fraud flag: confirmed or dismissed',
      description:
        'Once, and for good. The commission is not touched: approve or reject it by itself.',
      auth: merchant('member'),
      params: { ...params, flagId: 'FRAUD_FLAG_NOT_FOUND' },
      body: ResolveFlagBody,
      responses: { 200: { type: FraudFlagDto, example: resolvedFlagExample } },
      errors: ['FRAUD_FLAG_RESOLVED'],
    },
    async (ctx) => {
      const { flagId } = ctx.input.params;
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const command = { programId, flagId, ...ctx.input.body };
      await resolveFraudFlag(ctx.db, commandContextOf(ctx), command);
      ctx.body = presentFraudFlag(await getFraudFlag(ctx.db, programId, flagId));
    },
  ),

  route.post(
    `${path}/fraud-rules/back-test`,
    {
      name: 'backTestFraudRules',
      summary: 'Try fraud rules on past conversions',
      description: 'By what the rules saw at the time of each report. Stores nothing.',
      auth: merchant('admin'),
      params,
      body: BackTestBody,
      check: (body) => [...fraudRuleProblems(body.rules), ...periodProblems(body)],
      responses: { 200: { type: BackTestDto, example: backTestExample } },
    },
    async (ctx) => {
      const { id: programId } = await programOf(ctx, ctx.input.params.programId);
      const question = { programId, changes: ctx.input.body.rules };
      const asked = { ...question, ...backTestPeriod(ctx.input.body) };
      ctx.body = await backTestFraudRules(ctx.db, ctx.scope, asked);
    },
  ),
];
