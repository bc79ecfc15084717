import { createClaimPace } from '../../../workers/dispatcher/claim-pace';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function underWay(count: number) {
  const wake = jest.fn();
  const pace = createClaimPace(wake);
  pace.claims();
  for (let n = 0; n < count; n += 1) pace.began();
  pace.claimed();
  return { wake, pace };
}

describe('a dispatcher with something under way', () => {
  it('claims again when half of it has ended', () => {
    const { wake, pace } = underWay(4);
    pace.ended();
    expect(wake).not.toHaveBeenCalled();
    pace.ended();
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('does not leave what has ended waiting for what hangs', () => {
    const { wake, pace } = underWay(10);
    pace.ended();
    jest.advanceTimersByTime(20);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('counts what ends while it claims', () => {
    const { wake, pace } = underWay(2);
    pace.claims();
    pace.ended();
    pace.ended();
    expect(wake).not.toHaveBeenCalled();
    pace.claimed();
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('rests while nothing ends', () => {
    const { wake } = underWay(8);
    jest.advanceTimersByTime(60_000);
    expect(wake).not.toHaveBeenCalled();
  });
});
