import { searchedWith, type Participation } from '../../../activities/erasure/subject';

const one = (id: string, workspaceId: string, mode: 'test' | 'live'): Participation => ({
  id,
  partnerId: 'p',
  programId: `program of ${id}`,
  workspaceId,
  mode,
});

it('searches each workspace and mode once, for all participations there', () => {
  const all = [
    one('1', 'a', 'live'),
    one('2', 'b', 'live'),
    one('3', 'a', 'live'),
    one('4', 'a', 'test'),
  ];
  const searched = all.map((participation) => searchedWith(all, participation));
  expect(searched).toEqual([['1', '3'], ['2'], [], ['4']]);
});
