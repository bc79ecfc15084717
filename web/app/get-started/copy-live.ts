import type { Session } from '../../session/session';
import type { Paged } from '../../ui/table';
import type {
  BonusDto,
  BonusesDto,
  GroupDto,
  Participant,
  Program,
  Rule,
  TiersDto,
  Webhook,
} from '../../session/records';
import { changedRules, type FraudRule } from '../programme/fraud-rules';

/** What test mode has and live mode could have, too. */
export interface Prepared {
  program: Program;
  /** Without the default one, which comes with the programme. */
  groups: GroupDto[];
  rules: Rule[];
  tiers: TiersDto;
  bonuses: BonusDto[];
  /** They name partners, who are others in live mode. */
  leftOut: Rule[];
  fraudRules: FraudRule[];
  webhooks: Webhook[];
  /** Live mode takes no plain http. */
  leftOutWebhooks: Webhook[];
  /** They are invited again: nobody is moved without being asked. */
  partners: Participant[];
}

const atMost = { limit: 100 };

/** Reads what would be copied. */
export async function prepareLive(session: Session, program: Program): Promise<Prepared> {
  const read = <T>(path: string, query = {}): Promise<T> =>
    session.call<T>(path, { mode: 'test', query });
  const path = `/api/v1/programs/${program.id}`;
  const [groups, { rules }, tiers, { bonuses }, fraud, webhooks, partners] = await Promise.all([
    read<Paged<GroupDto>>(`${path}/groups`, atMost),
    read<{ rules: Rule[] }>(`${path}/commission-rules`),
    read<TiersDto>(`${path}/tiers`),
    read<BonusesDto>(`${path}/bonuses`),
    read<{ rules: FraudRule[] }>(`${path}/fraud-rules`),
    read<Paged<Webhook>>('/api/v1/webhooks', atMost),
    read<Paged<Participant>>(`${path}/partners`, { ...atMost, status: 'approved' }),
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
  const put = (path: string, body: object): Promise<unknown> =>
    session.call(path, { mode: 'live', method: 'PUT', body });
  const { id } = await liveProgram(session, from.program);
  const path = `/api/v1/programs/${id}`;
  const groupIds = await liveGroups(session, `${path}/groups`, from.groups);
  // The default group has the id of its programme.
  groupIds.set(from.program.id, id);
  const rules = from.rules.map((rule) => withGroups(rule, groupIds));
  if (rules.length > 0) await put(`${path}/commission-rules`, { rules });
  const { metric, steps } = from.tiers;
  const mapped = steps.map(({ atLeast, groupId }) => {
    return { atLeast, groupId: groupIds.get(groupId) ?? groupId };
  });
  if (mapped.length > 0) await put(`${path}/tiers`, { metric, steps: mapped });
  await liveBonuses(session, `${path}/bonuses`, { bonuses: from.bonuses, groupIds });
  await put(`${path}/fraud-rules`, changedRules(from.fraudRules, []));
  return liveWebhooks(session, from.webhooks);
}

async function liveProgram(session: Session, from: Program): Promise<{ id: string }> {
  const { data } = await session.call<Paged<Program>>('/api/v1/programs', {
    mode: 'live',
    query: atMost,
  });
  const known = data.find(({ name, status }) => name === from.name && status !== 'archived');
  if (known) return known;
  const { id: _id, mode: _mode, createdAt: _created, updatedAt: _updated, ...terms } = from;
  return session.call<Program>('/api/v1/programs', { mode: 'live', method: 'POST', body: terms });
}

/** The ids of live mode's groups by those of test mode's, which have the same names. */
async function liveGroups(
  session: Session,
  path: string,
  from: readonly GroupDto[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  if (from.length === 0) return ids;
  const { data } = await session.call<Paged<GroupDto>>(path, { mode: 'live', query: atMost });
  for (const group of from) {
    const { name, description, commission, holdDays, autoApprove } = group;
    const { publicApplications, approvalMode } = group;
    const terms = { name, description, commission, holdDays, autoApprove };
    const body = { ...terms, publicApplications, approvalMode };
    const known = data.find((one) => one.name === name);
    const made =
      known ?? (await session.call<GroupDto>(path, { mode: 'live', method: 'POST', body }));
    ids.set(group.id, made.id);
  }
  return ids;
}

/** Those that live mode does not have yet, by their names. */
async function liveBonuses(
  session: Session,
  path: string,
  {
    bonuses: from,
    groupIds: ids,
  }: { bonuses: readonly BonusDto[]; groupIds: ReadonlyMap<string, string> },
): Promise<void> {
  if (from.length === 0) return;
  const known = await session.call<BonusesDto>(path, { mode: 'live' });
  const isKnown = ({ name }: BonusDto): boolean => known.bonuses.some((one) => one.name === name);
  const kept = known.bonuses.map(({ reached: _reached, ...bonus }) => bonus);
  const made = from
    .filter((bonus) => !isKnown(bonus))
    .map(({ id: _id, reached: _reached, groupIds, ...bonus }) => {
      return { ...bonus, groupIds: groupIds && groupIds.map((id) => ids.get(id) ?? id) };
    });
  if (made.length === 0) return;
  await session.call(path, { mode: 'live', method: 'PUT', body: { bonuses: [...kept, ...made] } });
}

/** A rule whose groups are those of live mode. */
function withGroups(rule: Rule, ids: ReadonlyMap<string, string>): Rule {
  const match: Record<string, unknown> = { ...rule.match };
  if (!Array.isArray(match['groupIds'])) return rule;
  match['groupIds'] = match['groupIds'].map((id) => ids.get(String(id)) ?? String(id));
  return { ...rule, match };
}

async function liveWebhooks(session: Session, from: readonly Webhook[]): Promise<LiveSecret[]> {
  const path = '/api/v1/webhooks';
  const { data } = await session.call<Paged<Webhook>>(path, { mode: 'live', query: atMost });
  const secrets: LiveSecret[] = [];
  for (const { url, events, description } of from) {
    if (data.some((one) => one.url === url)) continue;
    const body = { url, events, description };
    const call = { mode: 'live', method: 'POST', body } as const;
    const { secret } = await session.call<{ secret: string }>(path, call);
    secrets.push({ url, secret });
  }
  return secrets;
}
