import type { Fields, Name } from '../../session/operations';
import type { Session } from '../../session/session';
import type {
  BonusDto,
  FraudRuleDto,
  GroupDto,
  Participant,
  Program,
  Rule,
  TiersDto,
  Webhook,
} from '../../session/records';
import { changedRules } from '../programme/fraud-rules';

/** What test mode has and live mode could have, too. */
export interface Prepared {
  program: Program;
  /** The groups without the default one, which comes with the programme. */
  groups: GroupDto[];
  rules: Rule[];
  tiers: TiersDto;
  bonuses: BonusDto[];
  /** They name partners, who are others in live mode. */
  leftOut: Rule[];
  fraudRules: FraudRuleDto[];
  webhooks: Webhook[];
  /** Live mode takes no plain http. */
  leftOutWebhooks: Webhook[];
  /** They are invited again: nobody is moved without being asked. */
  partners: Participant[];
}

const atMost = { limit: 100 };

/** Reads what would be copied. */
export async function prepareLive(session: Session, program: Program): Promise<Prepared> {
  const read = <N extends Name>(name: N, fields: Fields<N>) => session.ask(name, fields, 'test');
  const key = { programId: program.id };
  const [groups, { rules }, tiers, { bonuses }, fraud, webhooks, partners] = await Promise.all([
    read('groups.list', { ...key, ...atMost }),
    read('programmes.getCommissionRules', key),
    read('tiers.get', key),
    read('bonuses.get', key),
    read('fraud.getRules', key),
    read('webhooks.list', atMost),
    read('partners.list', { ...key, ...atMost, status: 'approved' }),
  ]);
  const namesPartners = ({ match }: Rule): boolean => (match.participantIds ?? []).length > 0;
  const isSecure = ({ url }: Webhook): boolean => url.startsWith('https://');
  return {
    program,
    groups: groups.data.filter(({ isDefault }) => !isDefault),
    rules: rules.filter((rule) => !namesPartners(rule)),
    tiers,
    bonuses,
    leftOut: rules.filter(namesPartners),
    fraudRules: fraud.rules,
    webhooks: webhooks.data.filter(isSecure),
    leftOutWebhooks: webhooks.data.filter((one) => !isSecure(one)),
    partners: partners.data,
  };
}

/** A signing secret of live mode, which is shown once. */
export interface LiveSecret {
  url: string;
  secret: string;
}

/**
 * Makes the same in live mode. What an attempt before has made is found by its name or address and
 * taken on with, so that a second one makes nothing twice.
 */
export async function copyToLive(session: Session, from: Prepared): Promise<LiveSecret[]> {
  const live = inLive(session);
  const { id: programId } = await liveProgram(live, from.program);
  const groupIds = await liveGroups(live, programId, from.groups);
  // The default group has the id of its programme.
  groupIds.set(from.program.id, programId);
  const rules = from.rules.map((rule) => withGroups(rule, groupIds));
  if (rules.length > 0) await live('programmes.replaceCommissionRules', { programId, rules });
  const { metric, steps } = from.tiers;
  const mapped = steps.map(({ atLeast, groupId }) => {
    return { atLeast, groupId: groupIds.get(groupId) ?? groupId };
  });
  if (mapped.length > 0) await live('tiers.replace', { programId, metric, steps: mapped });
  await liveBonuses(live, programId, { bonuses: from.bonuses, groupIds });
  await live('fraud.updateRules', { programId, ...changedRules(from.fraudRules, []) });
  return liveWebhooks(live, from.webhooks);
}

const inLive =
  (session: Session) =>
  <N extends Name>(name: N, fields: Fields<N>) =>
    session.ask(name, fields, 'live');
type Live = ReturnType<typeof inLive>;

async function liveProgram(live: Live, from: Program): Promise<{ id: string }> {
  const { data } = await live('programmes.list', atMost);
  const known = data.find(({ name, status }) => name === from.name && status !== 'archived');
  if (known) return known;
  const { id: _id, mode: _mode, createdAt: _created, updatedAt: _updated, ...more } = from;
  const { status, ...terms } = more;
  // What ended in test mode does not begin in live mode by itself.
  return live('programmes.create', { ...terms, status: status === 'archived' ? 'draft' : status });
}

/** The ids of live mode's groups by those of test mode's, which have the same names. */
async function liveGroups(
  live: Live,
  programId: string,
  from: readonly GroupDto[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  if (from.length === 0) return ids;
  const { data } = await live('groups.list', { programId, ...atMost });
  for (const group of from) {
    const { name, description, commission, holdDays, autoApprove } = group;
    const { publicApplications, approvalMode } = group;
    const terms = { name, description, commission, holdDays, autoApprove };
    const known = data.find((one) => one.name === name);
    const fields = { programId, ...terms, publicApplications, approvalMode };
    const made = known ?? (await live('groups.create', fields));
    ids.set(group.id, made.id);
  }
  return ids;
}

/** The bonuses that live mode does not have yet, by their names. */
async function liveBonuses(
  live: Live,
  programId: string,
  {
    bonuses: from,
    groupIds: ids,
  }: { bonuses: readonly BonusDto[]; groupIds: ReadonlyMap<string, string> },
): Promise<void> {
  if (from.length === 0) return;
  const known = await live('bonuses.get', { programId });
  const isKnown = ({ name }: BonusDto): boolean => known.bonuses.some((one) => one.name === name);
  const kept = known.bonuses.map(({ reached: _reached, ...bonus }) => bonus);
  const made = from
    .filter((bonus) => !isKnown(bonus))
    .map(({ id: _id, reached: _reached, groupIds, ...bonus }) => {
      return { ...bonus, groupIds: groupIds && groupIds.map((id) => ids.get(id) ?? id) };
    });
  if (made.length === 0) return;
  await live('bonuses.replace', { programId, bonuses: [...kept, ...made] });
}

/** A rule whose groups are those of live mode. */
function withGroups(rule: Rule, ids: ReadonlyMap<string, string>): Rule {
  const match: Record<string, unknown> = { ...rule.match };
  if (!Array.isArray(match['groupIds'])) return rule;
  match['groupIds'] = match['groupIds'].map((id) => ids.get(String(id)) ?? String(id));
  return { ...rule, match };
}

async function liveWebhooks(live: Live, from: readonly Webhook[]): Promise<LiveSecret[]> {
  const { data } = await live('webhooks.list', atMost);
  const secrets: LiveSecret[] = [];
  for (const { url, events, description } of from) {
    if (data.some((one) => one.url === url)) continue;
    const made = await live('webhooks.create', { url, events, description });
    secrets.push({ url, secret: made.signingSecret });
  }
  return secrets;
}
