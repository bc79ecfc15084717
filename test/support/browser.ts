import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';

const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
];

/** Where this machine's browser is, or undefined: then browser tests are skipped, and say so. */
const browserPath = [process.env['CHROMIUM_PATH'] ?? '', ...usualPlaces].find(
  (file) => file !== '' && existsSync(file),
);

/** `describe`, or a skipped one whose name tells why where there is no browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (browserPath) describe(name, tests);
  else describe.skip(`${name} (skipped: no Chromium on this machine)`, tests);
}

/** The browser's version, such as `156.0.8078.108`; undefined where there is no browser. */
export function browserVersion(): string | undefined {
  if (!browserPath) return undefined;
  return /[\d.]+$/.exec(execFileSync(browserPath, ['--version'], { encoding: 'utf8' }).trim())?.[0];
}

/** Every host below `.example` and `.co.uk` is this machine, so a shop has hosts of one domain. */
const launchOptions = () => {
  if (!browserPath) throw new Error('no Chromium on this machine');
  return {
    executablePath: browserPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.co.uk 127.0.0.1',
    ],
  };
};

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/** A browser with a profile on disk: closed and launched anew it knows what a visitor's would. */
export async function launchProfile(directory: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(directory, {
    ...launchOptions(),
    userAgent: visitorUserAgent,
  });
}

/** A browser says that it is headless, which the bot list knows; a visitor's says this. */
export const visitorUserAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
