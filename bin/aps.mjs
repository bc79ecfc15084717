#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The operators' command, the same in the image and in a checkout: where the sources lie they are built first.
const build = fileURLToPath(new URL('../stack/build.mjs', import.meta.url));
if (existsSync(build)) {
  // Standard output is the command's own.
  const { status } = spawnSync(process.execPath, [build], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
const { useLocalStack } = await import('../dist/workers/commands/local-stack.js');
useLocalStack(process.env);
await import('../dist/workers/commands/main.js');
