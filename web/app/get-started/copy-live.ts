import type { Session } from '../../session/session';
import type { Paged } from '../../ui/table';
import type { Participant, Program, Rule, Webhook } from '../../session/records';
import { changedRules, type FraudRule } from '../programme/fraud-rules';

/** What test mode has and live mode could have, too. */
export interface Prepared {
  program: Program;
  rules: Rule[];
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
  const [{ rules }, fraud, webhooks, partners] = await Promise.all([
    read<{ rules: Rule[] }>(`${path}/commission-rules`),
    read<{ rules: FraudRule[] }>(`${path}/fraud-rules`),
    read<Paged<Webhook>>('/api/v1/webhooks', atMost),
    read<Paged<Participant>>(`${path}/partners`, { ...atMost, status: 'approved' }),
  ]);
  const namesPartners = ({ match }: Rule): boolean => (match.participantIds ?? []).length > 0;
  const isSecure = ({ url }: Webhook): boolean => url.startsWith('https://');
  return {
    program,
    rules: rules.filter((rule) => !namesPartners(rule)),
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
  const path = `/api/v1/programs/${(await liveProgram(session, from.program)).id}`;
  if (from.rules.length > 0) await put(`${path}/commission-rules`, { rules: from.rules });
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
