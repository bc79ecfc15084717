import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';

const guideFile = path.join(__dirname, '../../../docs/integrate.md');
export const examplesFolder = path.join(__dirname, '../../../docs/integrate');

export const exampleNames = readdirSync(examplesFolder).sort();
export const guide = (): string => readFileSync(guideFile, 'utf8');

/** What an example's placeholders stand for. */
export interface Setting {
  apiUrl: string;
  publicKey: string;
}

/** An example as the guide shows it, with the values of a test in place of its placeholders. */
export function example(name: string, setting?: Setting): string {
  const text = readFileSync(path.join(examplesFolder, name), 'utf8');
  if (!setting) return text;
  return text
    .replaceAll('https://api.example.com', setting.apiUrl)
    .replaceAll('pk_test_YOUR_KEY', setting.publicKey);
}

/** What an example for a server exports. It may import modules of the merchant's own. */
export function serverExample<T>(name: string, own: Record<string, object> = {}): T {
  return moduleOf<T>(example(name), own);
}

/** What a text of TypeScript or JavaScript exports, as a module of its own on a merchant's server. */
export function moduleOf<T>(text: string, own: Record<string, object> = {}): T {
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs' });
  const target = { exports: {} };
  const load = new Function('module', 'require', code) as (
    module: { exports: object },
    load: NodeJS.Require,
  ) => void;
  const loadAny = (asked: string): unknown => own[asked] ?? loadClient(asked);
  load(target, Object.assign(loadAny, require));
  return target.exports as T;
}

const client = path.join(__dirname, '../../../packages/client/src');

/** What examples import: the client package from its source, so that no test has to build it. */
const loadClient = (name: string): unknown => {
  const [, subpath] = /^affiliate-programme-client(?:\/(\w+))?$/.exec(name) ?? [];
  const isOurs = name.startsWith('affiliate-programme-client');
  const file = isOurs ? path.join(client, `${subpath ?? 'index'}.ts`) : name;
  return jest.requireActual<object>(file);
};

/** JSX as Next.js would compile it, bundled with stand-ins of React and of next/script. */
export function bundledPage(name: string, setting: Setting, component: string): string {
  const { code } = transformSync(example(name, setting), {
    loader: 'jsx',
    jsxFactory: 'createElement',
    format: 'cjs',
  });
  return `<div id="${component}"></div><script>{ ${standIns}
    (function (module, require) { ${code}
      document
        .querySelector('#${component}')
        .append(render(createElement(module.exports.${component}, {})));
    })({ exports: {} }, () => ({ __esModule: true, default: Script })); }</script>`;
}

/** next/script makes its element when the page is there, and sets what it was given as attributes. */
const standIns = `
  const createElement = (type, props, ...children) => ({ type, props: { ...props, children } });
  const Script = ({ children, ...attributes }) => {
    const element = document.createElement('script');
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    document.body.append(element);
    return null;
  };
  const render = (node) => {
    if (node === null || node === undefined) return '';
    if (typeof node === 'string') return document.createTextNode(node);
    const { type, props: { children = [], ...props } } = node;
    if (typeof type === 'function') return render(type({ ...props, children }));
    const element = document.createElement(type === 'html' || type === 'body' ? 'div' : type);
    if (props.onClick) element.addEventListener('click', props.onClick);
    element.append(...children.flat().map(render));
    return element;
  };`;
