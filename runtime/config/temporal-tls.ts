import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error';
import type { Environment } from './environment';

/** What the client and the workers of Temporal take for TLS. */
export interface TemporalTls {
  serverRootCACertificate?: Buffer;
  clientCertPair?: { crt: Buffer; key: Buffer };
}

type Names = 'TEMPORAL_TLS_CERT' | 'TEMPORAL_TLS_KEY' | 'TEMPORAL_TLS_CA';

/** TLS as it is set, with the files read; certificates mean TLS. */
export function temporalTls(env: Pick<Environment, Names | 'TEMPORAL_TLS'>): boolean | TemporalTls {
  const [crt, key, ca] = [
    fileOf(env, 'TEMPORAL_TLS_CERT'),
    fileOf(env, 'TEMPORAL_TLS_KEY'),
    fileOf(env, 'TEMPORAL_TLS_CA'),
  ];
  if ((crt === undefined) !== (key === undefined)) {
    throw new ConfigError('Set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY together, or neither.');
  }
  if (!crt && !ca) return env.TEMPORAL_TLS;
  return {
    ...(ca ? { serverRootCACertificate: ca } : {}),
    ...(crt && key ? { clientCertPair: { crt, key } } : {}),
  };
}

function fileOf(env: Partial<Record<Names, string>>, name: Names): Buffer | undefined {
  const path = env[name];
  if (path === undefined) return undefined;
  const text = read(path);
  if (text?.includes('-----BEGIN ')) return text;
  throw new ConfigError(
    `The environment variable ${name} is not valid: it must name a readable file in PEM format.`,
  );
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
