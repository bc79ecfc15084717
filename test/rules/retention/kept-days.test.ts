import { deleteRules, partitionRules } from '../../../entities/rules/retention/retention';

const DAY_MS = 86_400_000;

describe('the days that a table is kept', () => {
  // A raw event of Stripe holds a buyer's address.
  it.each([
    ['idempotency_keys', 1],
    ['stripe_events', 90],
    ['customers', 30],
    ['webhook_deliveries', 30],
    ['webhook_endpoints', 30],
    ['notifications', 90],
    ['email_tokens', 1],
    ['stream_tickets', 0],
    ['refresh_tokens', 0],
    ['login_failures', 15 / (24 * 60)],
    ['account_addresses', 30],
    ['sessions', 1, 1],
    ['mails', 90],
    ['mail_digests', 90],
    ['mail_counts', 1],
    ['email_provider_events', 90],
    ['click_origins', 8],
    ['member_invites', 90],
    ['merchant_accounts', 90],
    ['partner_invites', 90],
  ])('%s keeps its rows for %d days', (table, ...days) => {
    const rules = deleteRules.filter((rule) => rule.table === table);
    expect(rules.map(({ kept }) => Number(kept) / DAY_MS)).toEqual(days);
  });

  it('are given for every table whose rows are deleted by their age', () => {
    expect(new Set(deleteRules.map(({ table }) => table)).size).toBe(21);
  });

  it.each([
    ['clicks', 'month', 4],
    ['events', 'day', 8],
    ['webhook_attempts', 'day', 8],
    ['audit_log', 'month', 4],
    ['attribution_decisions', 'month', 4],
  ])('%s has parts by %s, and %d of them ahead', (table, step, ahead) => {
    expect(partitionRules.find((rule) => rule.table === table)).toMatchObject({ step, ahead });
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
