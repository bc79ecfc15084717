import { onPath, run, succeeds } from './run.mjs';

const APT_WAIT = ['-o', 'DPkg::Lock::Timeout=300'];

// Order matters where several are there: the system's own one first.
const MANAGERS = [
  {
    command: 'apt-get',
    install: (name) => ['install', '-y', '--no-install-recommends', ...APT_WAIT, name],
    refresh: ['update', ...APT_WAIT],
  },
  { command: 'dnf', install: (name) => ['install', '-y', name] },
  { command: 'yum', install: (name) => ['install', '-y', name] },
  { command: 'apk', install: (name) => ['add', '--no-cache', name] },
  { command: 'pacman', install: (name) => ['-Sy', '--noconfirm', name] },
  { command: 'zypper', install: (name) => ['--non-interactive', 'install', name] },
  { command: 'brew', install: (name) => ['install', name], asUser: true },
];

let queue = Promise.resolve();

/** Installs the first of the named packages that the system's manager has, one installation at a time. */
export function installSystemPackage(names, report) {
  const installation = queue.then(() => installFirst(names, report));
  queue = installation.catch(() => {});
  return installation;
}

async function installFirst(names, report) {
  const manager = MANAGERS.find(({ command }) => onPath(command));
  if (!manager) throw new Error('no package manager that this script knows is on PATH');
  const prefix = privileges(manager);
  let failure;
  for (const name of names) {
    try {
      return await install(manager, prefix, name, report);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function install(manager, prefix, name, report) {
  const call = (args) => {
    const [command, ...rest] = [...prefix, manager.command, ...args];
    return run(command, rest, { env: quietEnvironment(), onLine: report });
  };
  try {
    await call(manager.install(name));
  } catch (error) {
    if (!manager.refresh) throw error;
    // The lists of a fresh machine are empty or old.
    await call(manager.refresh);
    await call(manager.install(name));
  }
  return `${name} installed by ${manager.command}`;
}

/** RUNLEVEL: the packaged service must not start by itself, the stack runs its own. */
function quietEnvironment() {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
}

function privileges({ command, asUser }) {
  if (asUser || process.getuid?.() === 0) return [];
  if (onPath('sudo') && succeeds('sudo', ['-n', 'true']))
    return ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND,RUNLEVEL'];
  throw new Error(`${command} needs root, and sudo asks for a password here`);
}
