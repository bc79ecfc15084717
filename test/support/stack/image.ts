import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
export const dockerfile = (): string => readFileSync(path.join(root, 'Dockerfile'), 'utf8');

/** Lays out of a built checkout what the Dockerfile copies into the image, and nothing else; packages by a link. */
export function layOutImage(into: string, checkout = root): void {
  mkdirSync(into, { recursive: true });
  for (const [, name = ''] of dockerfile().matchAll(/^COPY --from=build \/app\/(\S+)/gm)) {
    const [from, to] = [path.join(checkout, name), path.join(into, name)];
    if (name === 'node_modules') symlinkSync(from, to);
    else cpSync(from, to, { recursive: true });
  }
}

/** Where the image's `aps` leads. */
export function apsIn(image: string): string {
  const [, target = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/aps/.exec(dockerfile()) ?? [];
  return path.join(image, target);
}

/** The image's own environment. */
export function imageEnvironment(): Record<string, string> {
  const [, line = ''] = /^ENV (.+)$/m.exec(dockerfile()) ?? [];
  return Object.fromEntries(line.split(' ').map((pair) => pair.split('=')) as [string, string][]);
}
