import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claimPort, isPortFree } from '../parts/ports';

const DEFAULTS = {
  api: 4000,
  admin: 4001,
  workerAdmin: 4002,
  shop: 4003,
  mail: 4004,
  smtp: 4005,
  temporalUi: 4006,
  temporal: 4007,
  postgres: 4008,
  redis: 4009,
} as const;

// Each checkout moves as a block, so that its addresses look alike.
const BLOCK = 20;

export type PortName = keyof typeof DEFAULTS;
export type Ports = Record<PortName, number>;

export interface FixedPort {
  variable: string;
  port: number;
}

/**
 * The ports of the last run where they are free, so that links stay good; else the next free ones. A port
 * that was asked for is taken as it is or not at all.
 */
export async function choosePorts(
  stackDir: string,
  fixed: Partial<Record<PortName, FixedPort>>,
): Promise<Ports> {
  const file = path.join(stackDir, 'ports.json');
  const preferred = { ...DEFAULTS, ...readPorts(file) };
  const chosen: Partial<Ports> = {};
  for (const name of Object.keys(DEFAULTS) as PortName[]) {
    const wish = fixed[name];
    chosen[name] = wish ? await claimExactly(wish) : await claimPort(preferred[name], BLOCK);
  }
  writeFileSync(file, JSON.stringify(chosen, null, 2));
  return chosen as Ports;
}

async function claimExactly({ variable, port }: FixedPort): Promise<number> {
  if (await isPortFree(port)) return port;
  throw new Error(
    `Port ${port} (${variable}) is taken: stop what listens there, or choose another.`,
  );
}

function readPorts(file: string): Partial<Ports> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Ports>;
  } catch {
    return {};
  }
}
