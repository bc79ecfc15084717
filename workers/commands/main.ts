import { runCommand, type Command } from './run-command';

interface Entry {
  says: string;
  /** A command brings its libraries along: only the one that is asked for is loaded. */
  load(): Promise<{ command: Command }>;
}

/** All that an operator runs, by name. */
const commands: Readonly<Record<string, Entry>> = {
  config: {
    says: 'what the environment comes to, or what is wrong with it',
    load: () => import('./config.js'),
  },
  erasures: {
    says: 'the ledger of erasures, to keep and to replay',
    load: () => import('./erasures.js'),
  },
  explain: {
    says: 'what is known of an id, and why what was expected did not happen',
    load: () => import('./explain.js'),
  },
  credit: {
    says: 'asks again who is credited with what an earlier release decided',
    load: () => import('./credit.js'),
  },
  mails: {
    says: 'sends again what the mail server did not take',
    load: () => import('./mails.js'),
  },
  migrate: {
    says: 'prepares schema, roles and Temporal for a release',
    load: () => import('./migrate.js'),
  },
  outbox: {
    says: 'what the relay gave up, shown or queued again',
    load: () => import('./outbox.js'),
  },
  'rebuild-analytics': {
    says: 'sums the raw rows again',
    load: () => import('./rebuild-analytics.js'),
  },
  restored: {
    says: 'all that has to be done after a restore of Postgres',
    load: () => import('./restored.js'),
  },
  secrets: {
    says: 'new secrets, or what is stored under a new key',
    load: () => import('./secrets.js'),
  },
  ship: {
    says: 'writes what a restore needs outside of the database',
    load: () => import('./ship.js'),
  },
  'stripe-catch-up': {
    says: 'takes in what billers list and we do not have',
    load: () => import('./stripe-catch-up.js'),
  },
  'two-factor': {
    says: 'takes a lost second factor off an account',
    load: () => import('./two-factor.js'),
  },
};

const overview = [
  'aps <command>, with the environment of the processes; aps <command> --help says more:',
  ...Object.entries(commands).map(([name, { says }]) => `  ${name.padEnd(18)} ${says}`),
].join('\n');

const asksForHelp = (word?: string): boolean => word === '--help' || word === '-h';

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || asksForHelp(name)) return show(overview);
  const entry = commands[name];
  if (entry === undefined) return refuse(overview);
  const { command } = await entry.load();
  if (asksForHelp(args[0])) return show(command.usage);
  return runCommand(command, args);
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}

function refuse(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}

void main(process.argv.slice(2));
