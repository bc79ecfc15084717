import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { useImportShop } from '../../support/import-shop';

const own = useImportShop();

it('lets old links go on, each to its partner (imports.md, Old links)', async () => {
  await own.bring();
  const [ann, bob] = await own.partnersHere();
  const creditedTo = async (ref: string): Promise<string | null> => {
    const { body } = await own.click(ref);
    if (typeof body['click_id'] !== 'string') return null;
    const [row] = await query<{ id: string }>(
      own.db,
      'SELECT participant_id AS id FROM clicks WHERE id = $1',
      [body['click_id']],
    );
    return row?.id ?? null;
  };
  expect(await creditedTo('Ann.Smith')).toBe(ann?.id);
  expect(await creditedTo('ann.smith')).toBe(bob?.id);
  expect(await creditedTo('ANN.SMITH')).toBeNull();
  expect(await creditedTo('ANN-SMITH')).toBe(ann?.id);
  expect(await creditedTo('b')).toBe(bob?.id);
  expect(await creditedTo('B')).toBe(bob?.id);
  expect(await creditedTo('b/')).toBe(bob?.id);
  expect(await creditedTo('x'.repeat(100))).toBe(ann?.id);
  const taken = await own.api.patch(
    `/api/v1/programs/${own.program.id}/partners/${bob?.id}/referral-code`,
    {
      referralCode: 'ANN-smith',
    },
  );
  expect(codeOf(taken)).toEqual([409, 'REFERRAL_CODE_TAKEN']);
});
