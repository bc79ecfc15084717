import { migrate } from '../../entities/database/migrate';
import { startMailCatcher } from '../mail/catcher';
import { setUpPostgres } from '../parts/postgres';
import { setUpRedis } from '../parts/redis';
import { setUpTemporal } from '../parts/temporal';
import { temporalTls } from '../../runtime/config/temporal-tls';
import { keepHistories, prepareNamespace } from '../../workers/temporal/namespace';
import { checkDatabase, checkTemporal } from './given';
import type { Ports } from './ports';
import type { StackSettings } from './settings';
import type { Stack } from './stack';

/** Where the four parts are, whoever runs them. */
export interface PartAddresses {
  /** The database with the role that owns the schema, for people and scripts. */
  databaseUrl: string;
  /** The database with the role that the processes connect as. */
  servingUrl: string;
  redisUrl: string;
  temporalAddress: string;
  temporalUiUrl: string | null;
  smtpUrl: string;
  mailUrl: string | null;
}

export interface PartTask {
  title: string;
  run: () => Promise<string>;
}

/** The tasks that start the parts side by side; each writes down where its part is. */
export function partTasks(
  stack: Stack,
  settings: StackSettings,
  { ports, found }: { ports: Ports; found: Partial<PartAddresses> },
): PartTask[] {
  const dir = settings.stackDir;
  const { given } = settings;
  return [
    {
      title: 'Postgres',
      run: async () => {
        Object.assign(found, await startPostgres(stack, settings, ports));
        return given.postgres ? 'the one at DATABASE_URL' : `port ${ports.postgres}`;
      },
    },
    {
      title: 'Redis',
      run: async () => {
        found.redisUrl = given.redis ?? (await startRedis(stack, dir, ports.redis));
        return given.redis ? 'the one at REDIS_URL' : `port ${ports.redis}`;
      },
    },
    {
      title: 'Temporal',
      run: async () => {
        Object.assign(found, await startTemporal(stack, settings, ports));
        return given.temporal ? 'the one at TEMPORAL_ADDRESS' : `port ${ports.temporal}`;
      },
    },
    {
      title: 'Mail catcher',
      run: async () => {
        Object.assign(found, await startMail(stack, settings, ports));
        return given.smtp ? 'mails go to SMTP_URL' : `port ${ports.mail}`;
      },
    },
  ];
}

type DatabaseAddresses = Pick<PartAddresses, 'databaseUrl' | 'servingUrl'>;

async function startPostgres(
  stack: Stack,
  { given, stackDir: dir }: StackSettings,
  ports: Ports,
): Promise<DatabaseAddresses> {
  if (given.postgres) {
    await checkDatabase(given.postgres);
    return { databaseUrl: given.postgres, servingUrl: given.postgres };
  }
  const { url, servingUrl, spec } = await setUpPostgres({
    dir,
    port: ports.postgres,
    database: 'affiliate',
  });
  await stack.keep(spec);
  // The schema is made here, as in a deploy step, so that the processes need no more than their own role.
  await migrate(url, { url: servingUrl, pooler: 'none' });
  return { databaseUrl: url, servingUrl };
}

async function startRedis(stack: Stack, dir: string, port: number): Promise<string> {
  const { url, spec } = setUpRedis({ dir, port });
  await stack.keep(spec);
  return url;
}

type TemporalAddresses = Pick<PartAddresses, 'temporalAddress' | 'temporalUiUrl'>;

async function startTemporal(
  stack: Stack,
  { environment, given, stackDir }: StackSettings,
  ports: Ports,
): Promise<TemporalAddresses> {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_RETENTION_DAYS: retentionDays } = environment;
  if (given.temporal) {
    const { TEMPORAL_API_KEY: apiKey, TEMPORAL_MANAGED: managed } = environment;
    const tls = temporalTls(environment);
    const server = { address: given.temporal, namespace, apiKey, tls, managed };
    await checkTemporal(server, { retentionDays, say: (sentence) => console.log(sentence) });
    return { temporalAddress: given.temporal, temporalUiUrl: null };
  }
  const { address, uiUrl, spec } = setUpTemporal({
    dir: stackDir,
    port: ports.temporal,
    uiPort: ports.temporalUi,
    namespace,
    persistent: true,
  });
  await stack.keep(spec);
  await keepHistories({ address, namespace }, retentionDays);
  await prepareNamespace({ address, namespace }, { retentionDays });
  return { temporalAddress: address, temporalUiUrl: uiUrl };
}

type MailAddresses = Pick<PartAddresses, 'smtpUrl' | 'mailUrl'>;

async function startMail(
  stack: Stack,
  { given, stackDir }: StackSettings,
  ports: Ports,
): Promise<MailAddresses> {
  if (given.smtp) return { smtpUrl: given.smtp, mailUrl: null };
  const catcher = await startMailCatcher({
    smtpPort: ports.smtp,
    httpPort: ports.mail,
    file: `${stackDir}/mails.jsonl`,
  });
  stack.onStop(catcher.stop);
  return { smtpUrl: catcher.smtpUrl, mailUrl: catcher.url };
}
