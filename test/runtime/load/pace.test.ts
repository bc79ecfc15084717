import { createPace } from '../../../runtime/load/pace';

describe('a pace', () => {
  function pacing(perSecond: number) {
    const clock = { now: 0 };
    const rests: number[] = [];
    const pace = createPace(perSecond, {
      now: () => clock.now,
      rest: (ms) => Promise.resolve(rests.push(ms)),
    });
    return { clock, rests, pace };
  }

  it('is even, whoever asks at the same time', async () => {
    const { pace, rests } = pacing(50);
    await Promise.all([pace.turn(), pace.turn(), pace.turn()]);
    expect(rests).toEqual([20, 40]);
  });

  it('is used in full: what came a moment late is made up for', async () => {
    const { pace, rests, clock } = pacing(50);
    await pace.turn();
    clock.now = 60;
    for (let turn = 0; turn < 4; turn += 1) await pace.turn();
    expect(rests).toEqual([20]);
  });

  it('makes up for half a second at most, however long nothing was to be done', async () => {
    const { pace, rests, clock } = pacing(50);
    clock.now = 60_000;
    for (let turn = 0; turn < 27; turn += 1) await pace.turn();
    expect(rests).toEqual([20]);
  });

  it('is none without a bound', async () => {
    const { pace, rests } = pacing(0);
    for (let turn = 0; turn < 100; turn += 1) await pace.turn();
    expect(rests).toEqual([]);
  });
});
