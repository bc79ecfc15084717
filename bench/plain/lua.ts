import { Redis } from 'ioredis';

type Plain = (client: Redis, keys: string[], values: string[]) => Promise<unknown[]>;
type Command = readonly unknown[];

/** What the scripts do, in pipelines of plain commands. */
const plain: Record<string, Plain> = { enterClicks, countRequests };

const define = Redis.prototype.defineCommand;
Redis.prototype.defineCommand = function defineCommand(this: Redis, name, definition) {
  const command = plain[name];
  if (!command) return define.call(this, name, definition);
  const run = (keyCount: number, ...given: unknown[]): Promise<unknown[]> => {
    const texts = given.map(String);
    return command(this, texts.slice(0, keyCount), texts.slice(keyCount));
  };
  Object.assign(this, { [name]: run });
};

async function enterClicks(client: Redis, keys: string[], values: string[]): Promise<unknown[]> {
  const [limit = '0', window = '0', kept = '0', ...ids] = values;
  const counts = await count(
    client,
    ids.map((_, index) => ({ key: keys[2 * index] ?? '', window })),
  );
  const reserved = ids.map((id, index) => {
    const key = keys[2 * index + 1] ?? '';
    const isOver = (counts[index]?.count ?? 0) > Number(limit);
    return key === '' || isOver ? undefined : ['set', key, id, 'PX', kept, 'NX', 'GET'];
  });
  const earlier = await run(client, reserved);
  return ids.flatMap((id, index) => [
    counts[index]?.count,
    counts[index]?.ttl,
    earlier[index] ?? id,
  ]);
}

async function countRequests(client: Redis, keys: string[], values: string[]): Promise<unknown[]> {
  const asked = Array.from({ length: keys.length / 2 }, (_, index) => ({
    watched: keys[2 * index] ?? '',
    key: keys[2 * index + 1] ?? '',
    limit: Number(values[2 * index]),
    window: values[2 * index + 1] ?? '0',
  }));
  const seen = await run(
    client,
    asked.map(({ watched }) => (watched === '' ? undefined : ['get', watched])),
  );
  const left = await run(
    client,
    asked.map(({ watched }, index) => (seen[index] ? ['pttl', watched] : undefined)),
  );
  const counts = await count(
    client,
    asked.map(({ key, window, limit, watched }, index) => ({
      key: watched !== '' && Number(seen[index] ?? 0) >= limit ? '' : key,
      window,
    })),
  );
  return asked.flatMap((_, index) => [
    Number(seen[index] ?? 0),
    Number(left[index] ?? 0),
    counts[index]?.count ?? 0,
    counts[index]?.ttl ?? 0,
  ]);
}

async function count(
  client: Redis,
  asked: readonly { key: string; window: string }[],
): Promise<{ count: number; ttl: number }[]> {
  const isAsked = ({ key }: { key: string }): boolean => key !== '';
  const counts = await run(
    client,
    asked.map((one) => (isAsked(one) ? ['incr', one.key] : undefined)),
  );
  const ttls = await run(
    client,
    asked.map((one) => (isAsked(one) ? ['pttl', one.key] : undefined)),
  );
  const isNew = (index: number): boolean => Number(ttls[index] ?? 0) < 0;
  await run(
    client,
    asked.map(({ key, window }, index) => (isNew(index) ? ['pexpire', key, window] : undefined)),
  );
  return asked.map(({ window }, index) => ({
    count: Number(counts[index] ?? 0),
    ttl: isNew(index) ? Number(window) : Number(ttls[index] ?? 0),
  }));
}

/** One pipeline; undefined stays where there is no command. */
async function run(client: Redis, commands: readonly (Command | undefined)[]): Promise<unknown[]> {
  const sent = commands.filter((command) => command !== undefined);
  if (sent.length === 0) return [];
  const answers = (await client.pipeline(sent as unknown[][]).exec()) ?? [];
  let next = 0;
  return commands.map((command) => (command ? answers[next++]?.[1] : undefined));
}
