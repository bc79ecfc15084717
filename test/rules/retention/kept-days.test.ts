import { deleteRules, partitionRules } from '../../../entities/rules/retention/retention';

const DAY_MS = 86_400_000;

describe('the days that a table is kept', () => {
  // A raw event of Stripe holds a buyer's address.
  it.each([
    ['idempotency_keys', 1],
    ['stripe_events', 90],
    ['webhook_deliveries', 30],
    ['webhook_endpoints', 30],
    ['notifications', 90],
    ['email_tokens', 1],
    ['stream_tickets', 0],
    ['refresh_tokens', 0],
  ])('%s: %d', (table, days) => {
    const rules = deleteRules.filter((rule) => rule.table === table);
    expect(rules.map(({ kept }) => Number(kept) / DAY_MS)).toEqual([days]);
  });

  it.each([
    ['events', 31],
    ['webhook_attempts', 31],
    ['clicks', 'setting'],
    ['audit_log', 'for ever'],
    ['attribution_decisions', 'for ever'],
  ])('%s, by partitions: %s', (table, kept) => {
    expect(partitionRules.find((rule) => rule.table === table)?.keptDays).toBe(kept);
  });
});
