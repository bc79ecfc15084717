import { changedSince } from '../../../activities/restore/audit-lines';

const since = new Date('2026-01-31T09:30:00Z');
const line = (over: object) =>
  JSON.stringify({
    id: '1',
    created_at: '2026-01-31T09:40:00+00:00',
    action: 'api_key.revoked',
    target_type: 'api_key',
    target_id: 'k1',
    actor_id: null,
    ...over,
  });
const idsOf = (...lines: string[]) =>
  changedSince(lines.join('\n'), since).map(({ targetId }) => targetId);

describe('shipped audit lines', () => {
  it('tell what happened since the moment, in its order, each line once', () => {
    expect(
      idsOf(
        line({ id: '2', created_at: '2026-01-31T09:50:00+00:00', target_id: 'late' }),
        line({}),
        '',
        line({}),
        line({ id: '3', created_at: '2026-01-31T09:29:59+00:00', target_id: 'before' }),
        line({ id: '4', created_at: since.toISOString(), target_id: 'at' }),
      ),
    ).toEqual(['at', 'k1', 'late']);
  });

  it('are those of keys, members, money, partners, terms and customers, and not of sales', () => {
    const actions = [
      ...['member.removed', 'payout.exported', 'two_factor.reset', 'stripe.connected'],
      // Who cheated would be active and payable again.
      ...['participant.suspended', 'participant.rejected', 'participant.left', 'participant.moved'],
      ...['program.rules_replaced', 'program.archived', 'group.updated', 'fraud_rules.updated'],
      ...['promo_code.deleted', 'customer.unbound', 'suppressed_address.lifted'],
    ];
    const others = ['commission.approved', 'login.succeeded', 'participant.exported'];
    const lines = [...actions, ...others].map((action) =>
      line({ id: action, action, target_id: action }),
    );
    expect(idsOf(...lines)).toEqual(actions);
  });

  it.each(['no JSON', '17', 'null', line({ id: undefined }), line({ created_at: 'soon' })])(
    'name the line that is none: %s',
    (wrong) => {
      expect(() => changedSince(`${line({})}\n${wrong}`, since)).toThrow(
        'line 2 is no line of the audit log',
      );
    },
  );
});
