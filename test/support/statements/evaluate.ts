import { readFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import { transformSync } from '@swc/core';
import type { CallSite } from './call-sites';

const root = path.join(__dirname, '../../..');

/** The texts that a call may send, made by its own file's code; what cannot be made says why. */
export interface Texts {
  site: CallSite;
  texts: string[];
  problem: string | undefined;
}

type Variant = () => unknown;

/** Runs a file of production code with one function more for each of its calls. */
export function textsOf(file: string, sites: readonly CallSite[]): Texts[] {
  if (sites.length === 0) return [];
  const added = sites.map(({ variants }) => `[${variants.join(', ')}]`).join(', ');
  const source = `${readFileSync(file, 'utf8')}\nexport const statementsOfFile = [${added}];`;
  const { code } = transformSync(source, { filename: file, cwd: root, sourceMaps: false });
  const loaded: { statementsOfFile?: Variant[][] } = {};
  const run = vm.compileFunction(code, ['exports', 'require', 'module', '__dirname', '__filename']);
  const load = (name: string): unknown =>
    jest.requireActual(name.startsWith('.') ? path.join(path.dirname(file), name) : name);
  run(loaded, load, { exports: loaded }, path.dirname(file), file);
  return sites.map((site, index) => ({
    site,
    ...evaluated(loaded.statementsOfFile?.[index] ?? []),
  }));
}

function evaluated(variants: readonly Variant[]): Omit<Texts, 'site'> {
  const texts = new Set<string>();
  let problem: string | undefined;
  for (const variant of variants) {
    try {
      const made = variant();
      const text = typeof made === 'object' ? (made as { text?: unknown } | null)?.text : made;
      if (typeof text === 'string') texts.add(text);
      else problem = 'its text is not a string';
    } catch (error) {
      problem = String(error);
    }
  }
  texts.delete('');
  return { texts: [...texts], problem };
}
