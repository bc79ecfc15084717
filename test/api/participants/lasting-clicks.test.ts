import { foldAll } from '../../support/stored/fold-all';
import type { Db } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { asOwner } from '../../support/database';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;
beforeAll(async () => {
  db = app.deps.db.manager;
});

interface Counted {
  data: { clicks: number }[];
}

it('counts the clicks of partners and links for ever, though the raw ones are dropped', async () => {
  const member = await buildMember(db);
  const program = await buildProgram(db, { workspaceId: member.workspaceId });
  const [participant, other] = [
    await buildParticipant(db, { program }),
    await buildParticipant(db, { program }),
  ];
  const api = await callerOf(app, member);
  const partners = `/api/v1/programs/${program.id}/partners`;
  const figures = async () => {
    const list = await api.get<Counted>(`${partners}?sortBy=createdAt&sortOrder=asc`);
    const one = await api.get<{ clicks: number }>(`${partners}/${participant.id}`);
    const links = await api.get<Counted>(`${partners}/${participant.id}/links`);
    return [
      list.body.data.map(({ clicks }) => clicks),
      one.body.clicks,
      links.body.data.map(({ clicks }) => clicks),
    ];
  };

  for (let n = 0; n < 3; n += 1) await buildClick(db, { participant });
  await buildClick(db, { participant: other });
  expect(await figures()).toEqual([[3, 1], 3, [3]]);
  await foldAll(db);
  expect(await figures()).toEqual([[3, 1], 3, [3]]);
  await asOwner(app.deps.config.databaseUrl, 'DELETE FROM clicks');
  expect(await figures()).toEqual([[3, 1], 3, [3]]);
  await buildClick(db, { participant });
  expect(await figures()).toEqual([[4, 1], 4, [4]]);
});
