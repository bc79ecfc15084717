import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../bootstrap/run.mjs';
import { foldersIn } from './folders-in.mjs';
import { mutantsOf } from './mutations.mjs';

/**
 * Changes the rules one place at a time and counts the changes that turn a suite of test/rules red:
 * `npm run mutants [folder ...]`. What survives is printed and wants a test; what no test can see,
 * because nothing changes by it, stands with its reason in mutants-equivalent.json.
 */
const MIN_OVERALL = 0.9;
const MIN_EACH = 0.85;
/** A mutant that has found no end in this time never will. */
const PATIENCE_MS = 15_000;
const RULES = path.join(ROOT, 'entities', 'rules');
const HERE = path.dirname(fileURLToPath(import.meta.url));

const equivalent = JSON.parse(readFileSync(path.join(HERE, 'mutants-equivalent.json'), 'utf8'));
/** The key of a mutant has the text of its line, which stays when others move the line. */
const keyOf = ({ file, text, was, now }) => `${file}: ${text}: ${was} -> ${now}`;

const asked = process.argv.slice(2);
const folders = asked.length > 0 ? asked : foldersIn(RULES);
const mutants = folders
  .flatMap((folder) => filesOf(folder))
  .flatMap(mutantsOf)
  .filter((mutant) => !(keyOf(mutant) in equivalent));

const survivors = await survivorsOf(mutants);
for (const { file, line, was, now } of survivors) console.log(`${file}:${line}  ${was} -> ${now}`);
const rates = folders.map((folder) => rateOf(folder)).filter(({ all }) => all > 0);
console.log('');
for (const { name, all, killed } of [...rates, rateOf('')]) {
  console.log(`${name.padEnd(14)} ${killed} of ${all} killed, ${percent(killed / all)}`);
}
const overall = rateOf('');
const isGood =
  overall.killed >= MIN_OVERALL * overall.all &&
  rates.every(({ all, killed }) => killed >= MIN_EACH * all);
process.exitCode = isGood ? 0 : 1;

function filesOf(folder) {
  return readdirSync(path.join(RULES, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join('entities', 'rules', folder, name));
}

function rateOf(folder) {
  const inFolder = ({ file }) => file.startsWith(path.join('entities', 'rules', folder) + path.sep);
  const all = mutants.filter((one) => folder === '' || inFolder(one)).length;
  const left = survivors.filter((one) => folder === '' || inFolder(one)).length;
  return { name: folder || 'all', all, killed: all - left };
}

function percent(rate) {
  return `${(100 * rate).toFixed(1)} %`;
}

/** One process tries them in turn; one that hangs is ended and counts as killed. */
async function survivorsOf(all) {
  const found = [];
  let next = 0;
  while (next < all.length) next = await tryFrom(all, next, found);
  return found;
}

function tryFrom(all, first, found) {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(HERE, 'mutant-runner.cjs'), { cwd: ROOT });
    let next = first;
    let timer;
    const send = () => {
      if (next === all.length) return end(next);
      timer = setTimeout(() => end(next + 1), PATIENCE_MS);
      child.send(all[next]);
    };
    const end = (reached) => {
      child.removeAllListeners();
      child.kill('SIGKILL');
      resolve(reached);
    };
    child.on('message', ({ ready, survived, broken }) => {
      clearTimeout(timer);
      // The failure comes first: `end` would count all that is left as killed.
      if (broken) return (reject(new Error(broken)), end(all.length));
      if (survived) found.push(all[next]);
      if (!ready) next += 1;
      send();
    });
    child.once('exit', () => reject(new Error('the process that tries mutants ended')));
  });
}
