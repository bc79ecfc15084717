import type { QueryClient } from '@tanstack/react-query';
import { operationOf, type Name } from './operations';

/** What an event is about, as notices have it; `unread` is the bell alone. */
export type Topic = string;

/** Parts of the operations' paths whose answers an event of this category can change. */
const concerned: Readonly<Record<string, RegExp>> = {
  conversions:
    /conversions|commissions|analytics|balance|inbox|customers|events|decisions|partners\b|links|earned/,
  commissions: /conversions|commissions|analytics|balance|inbox|ledger|statement|partners\b/,
  partners: /partners\b|participants|invites|inbox|partner\/programs/,
  programs: /programs/,
  fraud: /fraud|inbox|conversions|commissions/,
  webhooks: /webhooks|stripe|inbox/,
  payouts: /payouts|commissions|balance|inbox|ledger|statement/,
  security: /members|api-keys|sessions|audit-log/,
};

/** Events come in pairs and bursts: so long they are gathered. */
const gatherMs = 150;
/** An open page asks again once in this time, however much happens. */
const leastMs = 2_000;
/** Each question makes the pause longer, so that a page in a busy shop asks fewer than 60 a minute. */
const eachMs = 1_300;
/** The pause after a refusal, such as of too many requests. */
const afterRefusalMs = 15_000;

/**
 * Asks anew for what events concern, and only for what is shown; a tab that nobody sees waits until
 * it is looked at. `stop` ends it.
 */
export class Renewal {
  private readonly topics = new Set<Topic>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private nextAt = 0;

  constructor(private readonly queries: QueryClient) {
    document.addEventListener('visibilitychange', this.plan);
  }

  tell(topic: Topic): void {
    this.topics.add(topic);
    this.plan();
  }

  stop(): void {
    clearTimeout(this.timer);
    document.removeEventListener('visibilitychange', this.plan);
  }

  private readonly plan = (): void => {
    if (this.timer !== undefined || this.topics.size === 0 || document.hidden) return;
    const pauseMs = Math.max(gatherMs, this.nextAt - Date.now());
    this.timer = setTimeout(() => void this.renew(), pauseMs);
  };

  private async renew(): Promise<void> {
    const told = [...this.topics];
    this.topics.clear();
    const isConcerned = ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
      told.some((topic) => concerns(topic, String(queryKey[0])));
    const shown = this.queries
      .getQueryCache()
      .findAll({ predicate: isConcerned, type: 'active' })
      .filter((query) => !query.observers.some(({ options }) => options.refetchInterval));
    this.nextAt = Date.now() + Math.max(leastMs, shown.length * eachMs);
    // What asks by itself, over and over, is asked for soon enough.
    await this.queries.invalidateQueries({ predicate: isConcerned, refetchType: 'none' });
    await Promise.all(shown.map((query) => query.fetch().catch(() => undefined)));
    if (shown.some(({ state }) => state.status === 'error')) {
      this.nextAt = Date.now() + afterRefusalMs;
      for (const topic of told) this.topics.add(topic);
    }
    this.timer = undefined;
    this.plan();
  }
}

function concerns(topic: Topic, name: string): boolean {
  const { path } = operationOf(name as Name);
  if (path.includes('/notifications')) return !path.endsWith('/preferences');
  return concerned[topic]?.test(path) ?? false;
}
