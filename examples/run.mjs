import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** `npm run example NAME [PORT]`: starts an example with the address and keys of the running `npm start`. */
const root = path.join(import.meta.dirname, '..');
const names = ['plain', 'express-own-biller', 'python', 'nextjs-stripe'];
const [name, port = '8090'] = process.argv.slice(2);
if (!names.includes(name)) end(`npm run example ${names.join('|')} [port]`);

const folder = path.join(import.meta.dirname, name);
const { apiUrl, demo } = readInfo();
if (!demo) end('This stack has no demo.');
if (existsSync(path.join(folder, 'package.json'))) install();
const env = {
  ...process.env,
  PORT: port,
  AFFILIATE_API_URL: apiUrl,
  AFFILIATE_PUBLIC_KEY: demo.keys.test.public,
  AFFILIATE_SECRET_KEY: demo.keys.test.secret,
};
console.log(`http://127.0.0.1:${port}/?ref=ava`);
const [command, ...args] = commandOf();
const child = spawn(command, args, { cwd: folder, env, stdio: 'inherit' });
child.on('error', ({ message }) => end(message));
child.on('exit', (code) => process.exit(code ?? 1));

function commandOf() {
  if (name === 'python') return ['python3', 'server.py'];
  if (name === 'nextjs-stripe') return ['npx', 'next', 'dev', '--port', port];
  return [process.execPath, 'server.mjs'];
}

/** The packages that it names, and the client as the running service gives it out. */
function install() {
  if (existsSync(path.join(folder, 'node_modules', 'affiliate-programme-client'))) return;
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'packages/client/package.json'), 'utf8'),
  );
  const client = `${apiUrl}/client/affiliate-programme-client-${version}.tgz`;
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, client], {
    cwd: folder,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function readInfo() {
  const file = path.resolve(root, process.env.STACK_DIR ?? '.stack', 'info.json');
  if (!existsSync(file)) end(`Nothing runs here: ${file} is not there. Begin with npm start.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
