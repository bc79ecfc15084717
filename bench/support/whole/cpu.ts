import { PROCESS_NAMES, type ProcessName } from '../../../stack/supervisor/info';
import { withCpu, type CpuPerRequest } from '../cpu';
import type { Sink } from '../sink';
import type { WholeStack } from './stack';

/** Microseconds of each process for one request, delivery or row. */
export type Cpu = CpuPerRequest<ProcessName | 'sink' | 'bench'>;

/** Runs work and gives what every process of the stack spent on one of so many requests. */
export async function withCpuOf<R>(
  { stack, sink, requests }: { stack: WholeStack; sink: Sink; requests: number },
  run: () => Promise<R>,
): Promise<{ result: R; cpu: Cpu }> {
  const { processes } = stack.info;
  const pids = Object.fromEntries(PROCESS_NAMES.map((name) => [name, processes[name] ?? 0]));
  const all = { ...pids, sink: sink.pid, bench: process.pid } as Record<keyof Cpu, number>;
  const { result, cpu } = await withCpu(all, async () => ({ requests, value: await run() }));
  // The stack's processes are children of this one.
  const others = Object.values(cpu).reduce((sum, us) => sum + us, -cpu.bench);
  return { result: result.value, cpu: { ...cpu, bench: Math.max(0, cpu.bench - others) } };
}
