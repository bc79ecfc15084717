import { createTestDatabase, type TestDatabase } from '../support/database';
import { findCallSites, type CallSite } from '../support/statements/call-sites';
import {
  openDescriber,
  type DescribedColumn,
  type Describer,
} from '../support/statements/describe';
import { textsOf, type Texts } from '../support/statements/evaluate';
import type { Property } from '../support/statements/row-shape';

/**
 * Statements whose text only the running service knows: of a table, a key or a role that a list
 * names, or of rows and conditions that the caller has. Suites of their own run each of them; one that
 * can be made from its source has no place here.
 */
const madeAtRunTime: readonly string[] = [
  'activities/analytics/reconcile.ts#dropOrphans',
  'activities/erasure/clean.ts#cleanBatch',
  'activities/explain/trail.ts#trailOf',
  'activities/figures/retention.ts#oldestStray',
  'activities/figures/retention.ts#rowsWithoutPartition',
  'activities/figures/retention.ts#secondsLate',
  'activities/imports/take-back.ts#takePartners',
  'activities/maintenance/partitions.ts#inShortLock',
  'activities/maintenance/purges.ts#purgeBy',
  'activities/maintenance/reseal.ts#resealBatch',
  'activities/partners/biller-codes.ts#changeCodesOf',
  'activities/test-data/delete-batch.ts#deleteBatch',
  'activities/test-data/delete-batch.ts#deleteByKey',
  'activities/test-data/delete-batch.ts#deleteOwned',
  'activities/test-data/delete-batch.ts#deleteRows',
  'activities/webhooks/delivery/record.ts#idsOf',
  'api/commissions/commission-list.queries.ts#idsOf',
  'api/commissions/commission-scope.queries.ts#idsFound',
  'api/notifications/notifications.queries.ts#listNotifications',
  'entities/database/find.ts#findById',
  'entities/database/find.ts#findOne',
  'entities/database/role-timeouts.ts#setRoleTimeouts',
  'entities/database/role-timeouts.ts#timeoutProblem',
  'entities/database/serving-role.ts#giveAccess',
  'entities/database/serving-role.ts#prepareRole',
  'entities/database/serving-role.ts#setPassword',
  'entities/database/update.ts#update',
];

/** What a row type rightly says though Postgres cannot know it. */
const knownBetter: Readonly<Record<string, readonly string[]>> = {
  // Merchants' rows alone have these, and only they are asked for them.
  'activities/credentials/principals.ts#readSessions': [
    'workspaceId is no column',
    'role is no column',
    'email is no column',
    'lacksTwoFactor is no column',
  ],
  // Each equals a value that was given.
  'activities/accounts/accounts-for.ts#standInsOf': ['email may be null'],
  'activities/partners/erased-address.ts#erasedAddresses': ['hash may be null'],
  'activities/imports/stage.ts#refuseRepeats': ['key may be null'],
  'activities/imports/judge/groups.ts#openMoneyOf': ['key may be null'],
  'activities/imports/judge/partners.ts#thoseWithSomething': ['key may be null'],
  'activities/imports/book/referral-codes.ts#referralCodesFor': ['partnerKey may be null'],
  // The column is set together with another one, which is asked for.
  'activities/imports/report.ts#problemRows': ['message may be null'],
  'activities/payouts/preview.ts#shownMethodsOf': ['type may be null', 'label may be null'],
  // Sales that were credited are the only ones that are read.
  'activities/back-test/past-sales.ts#pastSales': ['participantId may be null'],
  // The statement sets them.
  'activities/billing/events/progress.ts#markFailed': ['reason may be null'],
  'activities/webhooks/delivery/claim.ts#claimRetries': [
    'nextAttemptAt may be null',
    'leaseToken may be null',
  ],
  // Whoever writes such rows fills them in.
  'activities/billing/payments/earlier-payments.ts#findLaterBuyer': ['participantId may be null'],
  'api/test-mode/notification-log.queries.ts#findLogEntry': ['recipient may be null'],
  'api/test-mode/notification-log.queries.ts#listNotificationLog': ['recipient may be null'],
};

let database: TestDatabase;
let describer: Describer;

beforeAll(async () => {
  database = await createTestDatabase();
  describer = await openDescriber(database.url);
});
afterAll(async () => {
  await describer.close();
  await database.drop();
});

/** The differences between a row type and the rows that Postgres would give. */
function lies({ row = [] }: CallSite, text: string, columns: readonly DescribedColumn[]): string[] {
  const found: string[] = [];
  for (const { name, kind, isNullable } of row) {
    const column = columns.find((candidate) => candidate.name === name);
    if (column && !fits(kind, column.kind)) found.push(`${name} is ${column.type} and no ${kind}`);
    if (isNullable) continue;
    if (!column) found.push(`${name} is no column`);
    else if (isNullIn(text, column)) found.push(`${name} may be null`);
  }
  return found;
}

function isNullIn(text: string, { nullable }: DescribedColumn): boolean {
  return nullable !== undefined && !new RegExp(`\\b${nullable} IS NOT NULL`).test(text);
}

function fits(declared: Property['kind'], given: DescribedColumn['kind']): boolean {
  if (declared === 'any' || declared === given) return true;
  return given === 'object' && declared === 'array';
}

/** A text that was guessed in part is a statement only where Postgres understands it. */
async function problemsOf({ site, texts, problem }: Texts): Promise<string[]> {
  if (problem && texts.length === 0) return [problem];
  const refused: string[] = [];
  for (const text of texts) {
    const columns = await describer.describe(text).catch((error: Error) => error);
    if (columns instanceof Error) {
      refused.push(columns.message);
      continue;
    }
    const known = knownBetter[site.owner] ?? [];
    const found = lies(site, text, columns).filter((lie) => !known.includes(lie));
    if (found.length > 0) return found;
  }
  return site.isGuessed && refused.length < texts.length ? [] : refused.slice(0, 1);
}

it('sends no statement that the schema does not know, and reads no row as what it is not', async () => {
  const problems: string[] = [];
  const unknown = new Set<string>();
  for (const [file, sites] of findCallSites()) {
    for (const texts of textsOf(file, sites)) {
      const { owner, place, isGuessed } = texts.site;
      const found = await problemsOf(texts);
      if (found.length > 0 && isGuessed && madeAtRunTime.includes(owner)) unknown.add(owner);
      else problems.push(...found.map((sentence) => `${place}: ${sentence}`));
    }
  }
  expect(problems).toEqual([]);
  expect([...unknown].sort()).toEqual(madeAtRunTime);
}, 300_000);
