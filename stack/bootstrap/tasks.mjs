const HEARTBEAT_MS = 15_000;

/**
 * Runs tasks side by side and shows each with its time: as a live list when listr2 is installed and someone
 * watches, else as plain lines. A task is `{ title, run(report) }` and answers a few words on its outcome.
 */
export async function runTasks(tasks, { live = true } = {}) {
  const listr = live && process.stdout.isTTY ? await loadListr() : undefined;
  if (listr) return runLive(listr, tasks);
  await Promise.all(tasks.map(runPlain));
}

async function loadListr() {
  try {
    return await import('listr2');
  } catch {
    return undefined;
  }
}

async function runLive({ Listr, PRESET_TIMER }, tasks) {
  const items = tasks.map(({ title, run }) => ({
    title,
    task: async (_context, task) => {
      const outcome = await run((line) => {
        task.output = line;
      });
      if (outcome) task.title = `${title}: ${outcome}`;
    },
  }));
  const timer = { ...PRESET_TIMER, condition: true };
  await new Listr(items, {
    concurrent: true,
    registerSignalListeners: false,
    rendererOptions: { timer, collapseErrors: false, showErrorMessage: false },
  }).run();
}

async function runPlain({ title, run }) {
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  let latest = '';
  const heartbeat = setInterval(() => {
    console.log(`… ${title} (${seconds()}) ${latest.slice(0, 100)}`);
  }, HEARTBEAT_MS);
  try {
    const outcome = await run((line) => {
      latest = line;
    });
    console.log(`✔ ${title}${outcome ? `: ${outcome}` : ''} (${seconds()})`);
  } catch (error) {
    console.log(`✖ ${title} (${seconds()})`);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}
