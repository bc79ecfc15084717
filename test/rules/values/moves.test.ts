import {
  assertMove,
  isMove,
  sourcesOf,
  targetOf,
  targetsOf,
  type Moves,
} from '../../../entities/rules/values/moves';

type Status = 'open' | 'held' | 'done';
const moves: Moves<Status, 'end' | 'hold' | 'tell' | 'sleep'> = {
  open: { end: ['done'], hold: ['held', 'open'], tell: ['open', 'held'] },
  held: { end: ['done'], tell: ['held', 'done'] },
  done: {},
};

describe('a table of moves', () => {
  it('says for each move whether it may be', () => {
    expect(isMove(moves, { from: 'open', to: 'done', trigger: 'end' })).toBe(true);
    expect(isMove(moves, { from: 'open', to: 'held', trigger: 'end' })).toBe(false);
    expect(isMove(moves, { from: 'done', to: 'open', trigger: 'end' })).toBe(false);
    expect(() => assertMove(moves, { from: 'open', to: 'done', trigger: 'end' })).not.toThrow();
    expect(() => assertMove(moves, { from: 'done', to: 'open', trigger: 'end' })).toThrow(
      'no move from done to open by end',
    );
  });

  it('says where a trigger leads from and to', () => {
    expect(sourcesOf(moves, 'end')).toEqual(['open', 'held']);
    expect(targetOf(moves, 'end')).toBe('done');
    expect(targetsOf(moves, 'hold')).toEqual(['held', 'open']);
    // What every status that it may leave has.
    expect(targetsOf(moves, 'tell')).toEqual(['held']);
    expect(targetsOf(moves, 'sleep')).toEqual([]);
    expect(() => targetOf(moves, 'hold')).toThrow('no single status by hold');
    expect(() => targetOf(moves, 'sleep')).toThrow('no single status by sleep');
  });

  it('knows no target that all sources do not share', () => {
    const apart: Moves<Status, 'go'> = {
      open: { go: ['held', 'done'] },
      held: { go: ['done'] },
      done: { go: ['open', 'done'] },
    };
    expect(targetsOf(apart, 'go')).toEqual(['done']);
  });
});
