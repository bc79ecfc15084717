import { closesAt } from '../../../entities/rules/workspace/closing';

it('a workspace closes thirty days after somebody asked', () => {
  expect(closesAt(new Date('2026-02-15T09:30:00.123Z'))).toEqual(
    new Date('2026-03-17T09:30:00.123Z'),
  );
});
