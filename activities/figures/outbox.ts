import { query } from '../../entities/database/sql';
import { outboxTopics } from '../journal/outbox';
import {
  counted,
  each,
  type FigureReader,
  type FigureSpec,
  firstRows,
  maxCounted,
  type Sample,
} from './reader';

interface Figures {
  rows: number;
  oldestSeconds: number;
  attempts: number;
  dead: number;
}

const figures: (FigureSpec & { of: (row: Figures) => number })[] = [
  { name: 'outbox_backlog', help: `Outbox rows by topic, ${counted}`, of: ({ rows }) => rows },
  {
    name: 'outbox_oldest_seconds',
    help: 'Age of the oldest outbox row',
    of: ({ oldestSeconds }) => oldestSeconds,
  },
  {
    name: 'outbox_attempts_max',
    help: 'Most attempts of an outbox row',
    of: ({ attempts }) => attempts,
  },
  {
    name: 'outbox_dead',
    help: `Outbox rows that the relay gave up, ${counted}`,
    of: ({ dead }) => dead,
  },
];

const ofTopic = `
  SELECT (SELECT count(*) FROM (SELECT 1 FROM outbox o
      WHERE o.topic = $1 LIMIT ${maxCounted}) AS few) AS rows,
    (SELECT count(*) FROM (SELECT 1 FROM outbox_dead d
      WHERE d.topic = $1 LIMIT ${maxCounted}) AS few) AS dead,
    coalesce(max(first.attempts), 0) AS attempts,
    coalesce(extract(epoch FROM now() - min(first.created_at)
      FILTER (WHERE first.attempts > 0 OR first.available_at <= now())), 0)::float8 AS "oldestSeconds"
    FROM (SELECT attempts, created_at, available_at FROM outbox o
           WHERE o.topic = $1 ORDER BY o.id LIMIT ${firstRows}) AS first`;

export const outboxFigures: FigureReader = {
  reader: 'outbox',
  figures: figures.map(({ of: _, ...figure }) => ({
    ...figure,
    labels: ['topic'],
    zeros: each('topic', outboxTopics),
  })),
  async read(db) {
    const samples: Sample[] = [];
    for (const topic of outboxTopics) {
      const [row] = await query<Figures>(db, ofTopic, [topic]);
      if (!row) continue;
      for (const { name, of } of figures) samples.push({ name, labels: { topic }, value: of(row) });
    }
    return samples;
  },
};
