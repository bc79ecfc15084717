import { createUploadPlaces } from '../../../api/http/checks/places';
import { AppError } from '../../../entities/errors';

const codeOf = (ask: () => void): unknown => {
  try {
    ask();
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
};

/** Eight of a caller may wait. */
function fill(places: ReturnType<typeof createUploadPlaces>, caller: string, count: number): void {
  for (let n = 0; n < count; n += 1) places.acquire(caller).catch(() => undefined);
}

describe('places for uploads (imports.md, Files)', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('are one of a caller, who is asked to wait for the end of their own', async () => {
    const places = createUploadPlaces();
    await places.acquire('w1');
    const late = places.acquire('w1').catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await late).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      headers: { 'Retry-After': '5' },
    });
    fill(places, 'w1', 8);
    expect(codeOf(() => places.assertRoom('w1'))).toBe('RATE_LIMIT_EXCEEDED');
    expect(codeOf(() => places.assertRoom('w2'))).toBeNull();
  });

  it('are not had by whoever has none while others have all', async () => {
    const places = createUploadPlaces();
    await Promise.all(Array.from({ length: 8 }, (_, n) => places.acquire(`other-${n}`)));
    fill(places, 'w1', 8);
    expect(codeOf(() => places.assertRoom('w1'))).toBe('SERVICE_UNAVAILABLE');
  });
});
