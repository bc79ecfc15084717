import {
  changeHealth,
  failedTooLongReason,
  goneReason,
  healthy,
  probeIntervalMs,
  type EndpointHealth,
  type EndpointOutcome,
} from '../../../entities/rules/webhooks/health';

const now = new Date('2026-03-10T00:00:00.000Z');
const limits = { now, breakerFailures: 3 };
const success: EndpointOutcome = {
  ok: true,
  status: 'succeeded',
  disablesEndpoint: false,
  errorMessage: null,
};
const failure: EndpointOutcome = {
  ok: false,
  status: 'retrying',
  disablesEndpoint: false,
  errorMessage: 'The receiver answered 500.',
};
const dead: EndpointOutcome = { ...failure, status: 'dead_letter' };

function failing(overrides: Partial<EndpointHealth> = {}): EndpointHealth {
  return { ...healthy, failuresInRow: 2, failingSince: now, ...overrides };
}

describe('the health of an endpoint', () => {
  it('counts failures in a row from the first one on', () => {
    const { health } = changeHealth(healthy, [failure, failure], limits);
    expect(health).toMatchObject({
      failuresInRow: 2,
      failingSince: now,
      lastError: failure.errorMessage,
      nextProbeAt: null,
      deadLetterNoticedAt: null,
    });
  });

  it('is whole again after one success', () => {
    expect(changeHealth(failing(), [failure, success], limits).health).toEqual(healthy);
  });

  it('counts anew after a success among failures', () => {
    const { health } = changeHealth(failing(), [success, failure], limits);
    expect(health.failuresInRow).toBe(1);
  });

  it('opens the breaker at the limit, and plans the first probe', () => {
    const { health } = changeHealth(failing(), [failure], limits);
    expect(health.nextProbeAt?.getTime()).toBe(now.getTime() + probeIntervalMs);
    // Reports promise 60 s at most; a look for what is due comes on top.
    expect(probeIntervalMs).toBe(50_000);
  });

  it('leaves the next probe where it is when one has failed, however late', () => {
    const nextProbeAt = new Date(now.getTime() + 30_000);
    const { health } = changeHealth(failing({ nextProbeAt }), [failure], limits);
    expect(health.nextProbeAt).toEqual(nextProbeAt);
    for (const agoMs of [0, 1]) {
      const past = { nextProbeAt: new Date(now.getTime() - agoMs) };
      expect(changeHealth(failing(past), [failure], limits).health.nextProbeAt).toEqual(
        new Date(now.getTime() + probeIntervalMs),
      );
    }
  });

  it('disables after five days of nothing but failures', () => {
    const failingSince = new Date('2026-03-05T00:00:00.000Z');
    expect(changeHealth(failing({ failingSince }), [failure], limits).disabledReason).toBe(
      failedTooLongReason,
    );
    expect(changeHealth(failing({ failingSince }), [success], limits).disabledReason).toBeNull();
  });

  it('disables at once when the receiver says that it is gone', () => {
    const gone = { ...failure, status: 'cancelled', disablesEndpoint: true } as const;
    expect(changeHealth(healthy, [gone], limits).disabledReason).toBe(goneReason);
  });

  it('tells of the first dead letter of a streak only', () => {
    const first = changeHealth(healthy, [dead, dead], limits);
    expect(first.isFirstDeadLetter).toBe(true);
    expect(changeHealth(first.health, [dead], limits).isFirstDeadLetter).toBe(false);
    expect(changeHealth(first.health, [success, dead], limits).isFirstDeadLetter).toBe(true);
  });
});
