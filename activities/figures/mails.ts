import { query } from '../../entities/database/sql';
import { mailTopic, type MailType } from '../../entities/rules/mail/mail';
import { each, maxCounted, type FigureReader } from './reader';

const topics = ['mail', 'notice_mail'] as const;

// The query goes from type to type in their index: with a plain GROUP BY the planner would walk
// over all mails that wait.
const byType = `
  WITH RECURSIVE first AS (
    (SELECT m.type, m.created_at FROM mails m
      WHERE m.status = 'queued' ORDER BY m.type, m.created_at LIMIT 1)
    UNION ALL
    SELECT next.* FROM first f CROSS JOIN LATERAL (
      SELECT m.type, m.created_at FROM mails m
       WHERE m.status = 'queued' AND m.type > f.type ORDER BY m.type, m.created_at LIMIT 1) AS next
  )
  SELECT f.type, greatest(extract(epoch FROM $1 - f.created_at), 0)::float8 AS "oldestSeconds",
    (SELECT count(*) FROM (SELECT 1 FROM mails m
      WHERE m.status = 'queued' AND (m.type, m.created_at) >= (f.type, f.created_at)
        AND m.type <= f.type ORDER BY m.type, m.created_at LIMIT ${maxCounted}) AS few) AS waiting
    FROM first f`;

export const mailFigures: FigureReader = {
  reader: 'mails',
  figures: [
    {
      name: 'mails_waiting',
      help: `Mails that are not sent yet, of each type up to ${maxCounted}`,
      labels: ['topic'],
      zeros: each('topic', topics),
    },
    {
      name: 'mail_oldest_queued_seconds',
      help: 'How long the oldest mail has waited to be sent',
      labels: ['topic'],
      zeros: each('topic', topics),
    },
  ],
  async read(db, { now }) {
    type Row = { type: MailType; waiting: number; oldestSeconds: number };
    const rows = await query<Row>(db, byType, [now]);
    return topics.flatMap((topic) => {
      const of = rows.filter(({ type }) => mailTopic(type) === topic);
      const waiting = of.reduce((sum, row) => sum + row.waiting, 0);
      const oldest = Math.max(0, ...of.map(({ oldestSeconds }) => oldestSeconds));
      return [
        { name: 'mails_waiting', labels: { topic }, value: waiting },
        { name: 'mail_oldest_queued_seconds', labels: { topic }, value: oldest },
      ];
    });
  },
};
