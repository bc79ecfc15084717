import { present } from '../../../api/http/contract/present';
import { AnyText, Flag, Instant, Int } from '../../../api/http/contract/validators';

class PersonDto {
  @AnyText()
  name!: string;

  @Instant({ nullable: true })
  bornAt!: string | null;
}

class MemberDto extends PersonDto {
  @Int()
  since!: number;

  @Flag({ optional: true })
  active?: boolean;
}

it('shows what a DTO and its parents declare, dates as instants, and nothing else of the row', () => {
  const row = { since: 2026, bornAt: new Date(0), name: 'Anna', secret: 'hidden' };
  expect(present(MemberDto, row)).toEqual({
    name: 'Anna',
    bornAt: '1970-01-01T00:00:00.000Z',
    since: 2026,
  });
  expect(present(PersonDto, { ...row, bornAt: null })).toEqual({ name: 'Anna', bornAt: null });
});
