import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildReportingMerchant,
  type Conversion,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

const app = useApp();
let merchant: Caller;
let body: ReportingMerchant['body'];
let report: ReportingMerchant['report'];
let storedCount: ReportingMerchant['storedCount'];

beforeEach(async () => {
  ({ merchant, body, report, storedCount } = await buildReportingMerchant(app));
});

const path = '/api/v1/conversions';

describe('many at once', () => {
  it('200 equal reports make one 201 and 199 times 409', async () => {
    const same = body();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => merchant.post<Conversion>(path, same)),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(199);
    const locations = new Set(answers.map(({ headers }) => headers.get('Location')));
    expect([...locations]).toEqual([`${path}/${created[0]?.body.id}`]);
    expect(await storedCount()).toBe(1);
  });

  it('200 different reports, a bad one among them, are each answered for themselves', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        report(
          index % 10 === 0 ? { click_id: 'unknown' } : index % 10 === 1 ? { event_type: 7 } : {},
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(180);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(answers.filter((answer) => answer.body.attributed)).toHaveLength(160);
    expect(await storedCount()).toBe(180);
  });
});

describe('Idempotency-Key', () => {
  it('replays the first answer, a refusal too, and does not mistake it for a duplicate', async () => {
    const same = { external_transaction_id: 'order_7' };
    const headers = { 'Idempotency-Key': 'key-1' };
    const first = await report(same, headers);
    const replay = await report(same, headers);
    expect([first.status, replay.status]).toEqual([201, 201]);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true');

    const other = { 'Idempotency-Key': 'key-2' };
    const duplicate = await report(same, other);
    expect([duplicate.status, duplicate.headers.get('Location')]).toEqual([
      409,
      `${path}/${first.body.id}`,
    ]);
    expect((await report(same, other)).headers.get('Idempotent-Replayed')).toBe('true');
  });
});
