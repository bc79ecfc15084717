import { loadConfig } from '../../runtime/config/config';
import type { Command } from './run-command';

const usage = `The environment as every process reads it, and what it comes to, without secrets:
  aps config`;

/** Reads the environment as every process does, and says what it comes to, without any secret. */
function main(): string {
  const config = loadConfig();
  const { temporal, webhooks } = config;
  const lines: [string, unknown][] = [
    ['production', config.production],
    ['public base', config.publicBaseUrl],
    ['API listens on', `${config.host}:${config.port}`],
    ['admin port', `${config.adminHost}:${config.adminPort}`],
    ['Postgres', withoutPassword(config.databaseUrl)],
    ['Postgres past a pooler', withoutPassword(config.databaseDirectUrl)],
    ['owner of the schema', withoutPassword(config.databaseOwnerUrl)],
    ['connections a process', config.databasePoolSize],
    ['Redis', withoutPassword(config.redisUrl)],
    ['Temporal', `${temporal.address}, namespace ${temporal.namespace}`],
    ['Temporal, TLS', describeTls(temporal)],
    ['Temporal run by others', temporal.managed],
    ['worker serves', config.workerQueues],
    ['SMTP', withoutPassword(config.smtpUrl)],
    ['HTTPS required', config.requireHttps],
    ['proxies trusted', config.trustedProxies.length],
    ['webhooks to private addresses', webhooks.allowPrivate],
    [
      'stop',
      `${config.shutdownDelayMs} ms of /ready 503, then at most ${config.shutdownTimeoutMs} ms`,
    ],
  ];
  return [
    'The configuration is valid.',
    ...lines.map(([name, value]) => `  ${name}: ${String(value)}`),
  ].join('\n');
}

function describeTls({ tls, apiKey }: ReturnType<typeof loadConfig>['temporal']): string {
  const kinds =
    typeof tls === 'boolean'
      ? []
      : [tls.clientCertPair && 'own certificate', tls.serverRootCACertificate && 'own authority'];
  const with_ = [...kinds, apiKey && 'API key'].filter(Boolean);
  return tls === false ? 'off' : ['on', ...with_].join(', ');
}

function withoutPassword(url: string | undefined): string {
  if (url === undefined) return 'not set';
  const parsed = new URL(url);
  if (parsed.password) parsed.password = '***';
  return parsed.href;
}

export const command: Command = { usage, run: main };
