/** Shares of a whole, in percent, greatest first. */
export interface Shares {
  functions: [name: string, percent: number][];
  areas: [name: string, percent: number][];
}

interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
}

export interface CpuNode {
  id: number;
  callFrame: CallFrame;
}

export interface HeapNode {
  callFrame: CallFrame;
  selfSize: number;
  children: HeapNode[];
}

const maxFunctions = 60;

/** Shares of the time in which the process was not idle. */
export function attributeCpu(
  nodes: readonly CpuNode[],
  samples: readonly number[],
  root: string,
): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const weights: [CallFrame, number][] = [];
  for (const id of samples) {
    const frame = byId.get(id);
    if (frame && frame.functionName !== '(idle)') weights.push([frame, 1]);
  }
  return sharesOf(weights, root);
}

export function attributeHeap(head: HeapNode, root: string): Shares {
  const weights: [CallFrame, number][] = [];
  const queue = [head];
  for (let node = queue.pop(); node; node = queue.pop()) {
    weights.push([node.callFrame, node.selfSize]);
    queue.push(...node.children);
  }
  return sharesOf(weights, root);
}

function sharesOf(weights: readonly [CallFrame, number][], root: string): Shares {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const summed = (nameOf: (frame: CallFrame) => string): [string, number][] => {
    const sums = new Map<string, number>();
    for (const [frame, weight] of weights) {
      const name = nameOf(frame);
      sums.set(name, (sums.get(name) ?? 0) + weight);
    }
    return [...sums]
      .sort((a, b) => b[1] - a[1])
      .map(([name, sum]) => [name, Math.round((1_000 * sum) / total) / 10]);
  };
  return {
    functions: summed((frame) => placeOf(frame, root)).slice(0, maxFunctions),
    areas: summed((frame) => areaOf(frame, root)),
  };
}

function placeOf({ functionName, url, lineNumber }: CallFrame, root: string): string {
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  return `${name} ${shortened(url, root)}:${lineNumber + 1}`;
}

function shortened(url: string, root: string): string {
  return url
    .replace('file://', '')
    .replace(`${root}/`, '')
    .replace(/^.*node_modules\//, '');
}

/** A package, a folder of ours, Node itself, or what the engine does by itself. */
function areaOf({ functionName, url }: CallFrame, root: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(engine)';
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const packaged = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (packaged !== undefined) return packaged;
  return shortened(url, root).split('/').slice(0, 2).join('/');
}
