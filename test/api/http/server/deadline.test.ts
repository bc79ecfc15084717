import type { Context } from 'koa';
import { deadline } from '../../../../api/http/server/deadline';

describe('the deadline of a request', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('answers 503 with Retry-After after 25 seconds, however the work hangs', async () => {
    const outcome = jest.fn();
    const hanging = () => new Promise<void>(() => undefined);
    const request = deadline()({} as Context, hanging) as Promise<void>;
    request.catch(outcome);

    await jest.advanceTimersByTimeAsync(24_900);
    expect(outcome).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(700);
    expect(outcome).toHaveBeenCalledTimes(1);
    expect(outcome.mock.calls[0]).toEqual([
      expect.objectContaining({
        code: 'SERVICE_UNAVAILABLE',
        headers: expect.objectContaining({ 'Retry-After': '5' }) as object,
      }),
    ]);
  });

  it('leaves a request alone that was answered in time, or failed by itself', async () => {
    const withDeadline = deadline();
    await withDeadline({} as Context, () => Promise.resolve());
    const failed = withDeadline({} as Context, () => Promise.reject(new Error('broken')));
    await expect(failed).rejects.toThrow('broken');
    await jest.advanceTimersByTimeAsync(60_000);
  });
});
