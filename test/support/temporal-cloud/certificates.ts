import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Paths of PEM files. */
export interface Certificate {
  cert: string;
  key: string;
}

/** An authority that this test made: it signs servers of localhost and their clients. */
export interface Authority extends Certificate {
  sign(name: string): Certificate;
  remove(): void;
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export function createAuthority(): Authority {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'affiliate-ca-'));
  const files = (name: string): Certificate => ({
    cert: path.join(dir, `${name}.pem`),
    key: path.join(dir, `${name}.key`),
  });
  const own = files('ca');
  openssl('req', '-x509', ...curve, '-subj', '/CN=authority', '-keyout', own.key, '-out', own.cert);
  const extensions = path.join(dir, 'extensions');
  writeFileSync(extensions, 'subjectAltName=DNS:localhost');
  return {
    ...own,
    sign(name) {
      const { cert, key } = files(name);
      openssl('req', ...curve, '-subj', `/CN=${name}`, '-keyout', key, '-out', `${cert}.csr`);
      openssl(
        ...['x509', '-req', '-in', `${cert}.csr`, '-CA', own.cert, '-CAkey', own.key],
        ...['-CAcreateserial', '-extfile', extensions, '-days', '1', '-out', cert],
      );
      return { cert, key };
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** The certificate and key as the options of TLS take them. */
export function contentsOf({ cert, key }: Certificate): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' });
}
