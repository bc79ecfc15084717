import type { AnnouncedDto } from '../../../api/imports/import-bookings.routes';
import { query } from '../../../entities/database/sql';
import { useImportShop } from '../../support/import-shop';
import { workOn } from '../../support/imports';

const own = useImportShop();

it('mails nobody before they are told, and each of them once (imports.md, Telling the partners)', async () => {
  const one = await own.bring();
  const mailsTo = async (): Promise<string[]> =>
    (
      await query<{ recipient: string }>(
        own.db,
        `SELECT recipient FROM mails WHERE workspace_id = $1 AND type = 'partner.added' ORDER BY 1`,
        [own.owner.workspaceId],
      )
    ).map(({ recipient }) => recipient);
  const message = 'We have moved. See https://elsewhere.example';
  const dry = await own.api.post<AnnouncedDto>(`${one.path}/announce`, { dryRun: true, message });
  expect([dry.status, dry.body.count]).toEqual([202, 2]);
  expect(dry.body.mail?.subject).toContain('You are a partner of ');
  expect(dry.body.mail?.text).toContain('We have moved. See ');
  expect(dry.body.mail?.text).not.toContain('elsewhere.example');
  expect(await mailsTo()).toEqual([]);
  await own.api.post(`${one.path}/announce`, { message: 'We have moved.' });
  await workOn(own.app.deps, one.path.split('/').at(-1) ?? '');
  expect(await mailsTo()).toEqual(['ann@example.com', 'bob@example.com']);
  expect((await one.read()).announced).toMatchObject({ count: 2 });
  const again = await own.api.post(`${one.path}/announce`, {});
  expect(again.body).toEqual({ dryRun: false, count: 0, mail: null });
  expect((await one.read()).announced).toMatchObject({ count: 2 });
});
