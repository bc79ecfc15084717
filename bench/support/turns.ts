import { withCpu, type CpuPerRequest } from './cpu';

export interface Turn {
  requests: number;
  rps: number;
}

export interface TurnsResult<Setting extends string, Process extends string> {
  rates: Record<Setting, number[]>;
  /** Microseconds a request, of each turn. */
  cpu: Record<Setting, CpuPerRequest<Process>[]>;
}

export interface TurnsPlan<Setting extends string, Process extends string> {
  settings: readonly [Setting, Setting];
  turns: number;
  pids: Record<Process, number>;
  run: (setting: Setting) => Promise<Turn>;
}

/**
 * Two settings in turns within one run: on, off, off, on, on, ... so that what changes with time,
 * a fuller table or a busier machine, meets both alike.
 */
export async function inTurns<Setting extends string, Process extends string>({
  settings,
  turns,
  pids,
  run,
}: TurnsPlan<Setting, Process>): Promise<TurnsResult<Setting, Process>> {
  const [first, second] = settings;
  const rates = { [first]: [], [second]: [] } as unknown as Record<Setting, number[]>;
  const cpu = { [first]: [], [second]: [] } as unknown as TurnsResult<Setting, Process>['cpu'];
  for (let turn = 0; turn < turns; turn += 1) {
    for (const setting of turn % 2 === 0 ? [first, second] : [second, first]) {
      const seen = await withCpu(pids, () => run(setting));
      rates[setting].push(seen.result.rps);
      cpu[setting].push(seen.cpu);
    }
  }
  return { rates, cpu };
}

/** The median of the ratios of turns that lay side by side. */
function medianRatio(of: readonly number[], to: readonly number[]): number {
  const ratios = of.map((value, turn) => value / (to[turn] ?? Number.NaN)).sort((a, b) => a - b);
  const middle = Math.floor(ratios.length / 2);
  const upper = ratios[middle] ?? Number.NaN;
  return ratios.length % 2 === 1 ? upper : ((ratios[middle - 1] ?? upper) + upper) / 2;
}

/** One row for the rates and one for the CPU of each process, the first setting beside the second. */
export function printTurns<Setting extends string, Process extends string>(
  { rates, cpu }: TurnsResult<Setting, Process>,
  { settings: [first, second], target }: { settings: readonly [Setting, Setting]; target: string },
): void {
  const processes = Object.keys(cpu[first][0] ?? {}) as Process[];
  const row = (figure: string, valuesOf: (setting: Setting) => number[], goal: string) => ({
    figure,
    [first]: valuesOf(first).map(Math.round).join(' '),
    [second]: valuesOf(second).map(Math.round).join(' '),
    ratio: medianRatio(valuesOf(first), valuesOf(second)).toFixed(3),
    target: goal,
  });
  console.table([
    row('a second', (setting) => rates[setting], ''),
    ...processes.map((name) =>
      row(`${name}, CPU us`, (setting) => cpu[setting].map((turn) => turn[name]), ''),
    ),
    row(
      'CPU us together',
      (setting) => cpu[setting].map((turn) => sum(processes.map((name) => turn[name]))),
      target,
    ),
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
