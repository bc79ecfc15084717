import { isUuid, newId, uuidTime } from '../../../entities/ids';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a new id', () => {
  test('is a UUID v7 of its time', () => {
    const before = Date.now();
    const id = newId();
    expect(id).toMatch(shape);
    expect(isUuid(id)).toBe(true);
    expect(uuidTime(id).getTime()).toBeGreaterThanOrEqual(before);
    expect(uuidTime(id).getTime()).toBeLessThanOrEqual(Date.now());
  });

  test('of a given time carries it', () => {
    const at = new Date('2026-03-02T09:30:00.123Z');
    const id = newId(at);
    expect(id).toMatch(shape);
    expect(uuidTime(id)).toEqual(at);
  });

  test('of a given time does not differ otherwise', () => {
    const at = new Date('2026-03-02T09:30:00.123Z');
    for (const id of Array.from({ length: 500 }, (_, n) => newId(n % 2 === 0 ? at : undefined))) {
      expect(id).toMatch(/^.{14}7[0-9a-f]{3}-8/);
    }
    const counted = Array.from({ length: 500 }, () => newId(at).charAt(15));
    expect([...new Set(counted)].sort()).toEqual([...'01234567']);
  });

  test('sorts after all before it, also within a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId());
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});
