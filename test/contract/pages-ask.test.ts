import {
  addressOf,
  fieldsOf,
  operationOf,
  type Answer,
  type Asks,
  type Fields,
  type Filters,
  type Name,
  type Row,
  type SortOf,
  type TextOf,
} from '../../web/session/operations';

const ask = <N extends Name>({ call, ...rest }: Asks<N>): string =>
  addressOf(call, fieldsOf<N>(rest));

const one = '0197f2aa-0000-7000-8000-000000000001';

/** The compiler refuses the lines that say so; that it runs over this file is a step of each check. */
describe('what a page asks', () => {
  it('is an operation that there is', () => {
    expect(operationOf('payouts.list').path).toBe('/api/v1/payouts');
    // @ts-expect-error: no such operation
    const path: unknown = operationOf('payouts.lists').path;
    expect(path).toBe('');
    // @ts-expect-error: a path is none
    expect(operationOf('/api/v1/payouts').path).toBe('');
  });

  it('has the fields that the operation takes, and their values', () => {
    expect(ask({ call: 'payouts.list', fields: { status: 'completed' } })).toBe(
      '/api/v1/payouts?status=completed',
    );
    expect(ask({ call: 'payouts.get', fields: { id: one } })).toBe(`/api/v1/payouts/${one}`);
    // @ts-expect-error: no such status
    ask({ call: 'payouts.list', fields: { status: 'complete' } });
    // @ts-expect-error: no such filter
    ask({ call: 'payouts.list', fields: { state: 'completed' } });
    // @ts-expect-error: of an operation that takes nothing
    ask({ call: 'workspace.getInbox', fields: { status: 'completed' } });
    // @ts-expect-error: the parameter of the path has another name
    expect(() => ask({ call: 'payouts.get', fields: { payoutId: one } })).toThrow('id is missing');
    // @ts-expect-error: it is missing
    expect(() => ask({ call: 'payouts.get' })).toThrow('id is missing');
  });

  it('has a body that the operation takes', () => {
    const refund: Fields<'conversions.refund'> = { conversionId: one, external_refund_id: 'r-1' };
    // @ts-expect-error: a field of the body is missing
    const without: Fields<'conversions.refund'> = { conversionId: one };
    // @ts-expect-error: another type
    const other: Fields<'conversions.refund'> = { ...refund, amount_cents: '100' };
    // @ts-expect-error: no such role
    const member: Fields<'members.invite'> = { email: 'a@b.example', role: 'boss' };
    expect([refund, without, other, member]).toHaveLength(4);
  });

  it('is answered with what the operation answers', () => {
    const statusOf = (payout: Answer<'payouts.get'>): string => payout.status;
    // @ts-expect-error: no field of the answer
    const stateOf = (payout: Answer<'payouts.get'>): string => payout.state;
    // @ts-expect-error: no status of it
    const isDone = (payout: Row<'payouts.list'>): boolean => payout.status === 'complete';
    const svgOf = (drawn: Answer<'partnerPortal.getLinkQrCode'>): string => drawn;
    const secretOf = ({ signingSecret }: Answer<'webhooks.create'>): string => signingSecret;
    expect([statusOf, stateOf, isDone, svgOf, secretOf].every((read) => read.length === 1)).toBe(
      true,
    );
  });

  it('is filtered and sorted by what the operation filters and sorts by', () => {
    const texts: TextOf<Filters<'partners.list'>['owes']>[] = ['true', 'false'];
    // @ts-expect-error: no text of it
    const maybe: TextOf<Filters<'partners.list'>['owes']> = 'maybe';
    const sorted: SortOf<'commissions.list'> = 'amountCents';
    // @ts-expect-error: nothing to sort by
    const unsorted: SortOf<'commissions.list'> = 'amount';
    // @ts-expect-error: it is not sorted at all
    const none: SortOf<'payouts.list'> = 'createdAt';
    expect([...texts, maybe, sorted, unsorted, none]).toHaveLength(6);
  });
});
