import { onPath } from './run.mjs';
import { installSystemPackage } from './system-packages.mjs';

/** The first, without a window's parts, starts and draws for a good deal less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
];

/** Chromium for the browser tests, which are left out, and say so, where no browser can be installed. */
export const chromiumTask = {
  title: 'Chromium',
  async run(report) {
    if (process.env.CHROMIUM_PATH) return 'the one at CHROMIUM_PATH';
    const outcome = findChromium() ? 'found' : await tryInstall(report);
    const found = findChromium();
    if (found) process.env.CHROMIUM_PATH = found;
    return outcome;
  },
};

/** Where this machine's browser is, if it has one. */
export function findChromium() {
  return process.env.CHROMIUM_PATH || NAMES.map(onPath).find(Boolean);
}

async function tryInstall(report) {
  if (!onPath('apt-get')) return 'not found: browser tests are skipped';
  try {
    return await installSystemPackage(['chromium-headless-shell', 'chromium'], report);
  } catch {
    return 'not found and cannot be installed here: browser tests are skipped';
  }
}
