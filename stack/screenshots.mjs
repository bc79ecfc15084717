import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { findChromium } from './bootstrap/chromium.mjs';
import { ROOT } from './bootstrap/run.mjs';

/**
 * Pictures of every page of the running stack, as its demo merchant and partner see them: in four
 * widths, light and dark. `npm run screenshots`, beside `npm start`; they go to coverage/screenshots,
 * which git ignores. With `-- --readme` the README's own pictures are made instead, in docs/pictures; run
 * `npm run demo` before, so that there is something to see.
 */
const README_LOOKS = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
};
const HEIGHTS = { 360: 740, 768: 1024, 1280: 900, 1920: 1080 };
const ALL_LOOKS = Object.fromEntries(
  Object.entries(HEIGHTS).flatMap(([width, height]) =>
    ['light', 'dark'].map((colorScheme) => [
      `${width}-${colorScheme}`,
      { colorScheme, viewport: { width: Number(width), height } },
    ]),
  ),
);
const PAGES = {
  merchant: {
    base: '/app',
    mode: 'test',
    paths: [
      ...['/', '/overview', '/inbox', '/sales', '/customers', '/commissions', '/partners'],
      ...[
        '/payouts',
        '/payouts/books',
        '/payouts/books/ledger',
        '/programme',
        ...['keys', 'webhooks', 'events', 'billing', 'test'].map(
          (part) => `/developers?part=${part}`,
        ),
        ...['workspace', 'members', 'payouts', 'you', 'records', 'moving', 'close'].map(
          (part) => `/settings?part=${part}`,
        ),
        '/move-in',
        '/design',
      ],
    ],
    /** Lists whose first row has a page of its own. */
    lists: ['/sales', '/commissions', '/partners', '/payouts', '/move-in'],
  },
  partner: {
    base: '/portal',
    mode: 'test',
    paths: ['/', '/links', '/earnings', '/payouts', '/programmes', '/settings'],
    lists: ['/earnings'],
  },
};

/** Which pages the README shows, and under which names. */
const README_PAGES = {
  'merchant-overview': 'dashboard',
  'merchant-sales-detail': 'why',
  'partner-home': 'portal',
};
const isForReadme = process.argv.includes('--readme');
const LOOKS = isForReadme ? README_LOOKS : ALL_LOOKS;

const stackDir = path.resolve(ROOT, process.env.STACK_DIR ?? '.stack');
const info = JSON.parse(readFileSync(path.join(stackDir, 'info.json'), 'utf8'));
const target = path.join(ROOT, isForReadme ? 'docs/pictures' : 'coverage/screenshots');
mkdirSync(target, { recursive: true });

const executablePath = findChromium();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
let count = 0;
for (const [side, pages] of Object.entries(PAGES)) {
  const context = await browser.newContext();
  await signIn(context, side, pages);
  for (const [look, { colorScheme, viewport }] of Object.entries(LOOKS)) {
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await showAll(page, pages, (name) => fileOf(`${side}-${name}`, look));
    await page.close();
  }
  await context.close();
}
if (!isForReadme) await showToStrangers();
await browser.close();
console.log(`${count} pictures in ${path.relative(ROOT, target)}`);

/** Where links of mails and of merchants lead, before anybody is signed in. */
async function showToStrangers() {
  const page = await browser.newPage();
  const join = `/portal/join/${info.demo.programId}`;
  const paths = ['/verify-email', '/reset-password', '/accept-invite', '/claim', join];
  for (const [look, { colorScheme, viewport }] of Object.entries(LOOKS)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    for (const one of paths) {
      await page.goto(`${info.apiUrl}${one}?token=none`);
      const name = one === join ? 'join' : one.slice(1);
      await shoot(page, fileOf(`stranger-${name}`, look));
    }
  }
  await page.close();
}

async function signIn(context, side, { base, mode }) {
  const page = await context.newPage();
  const { email, password } = info.demo[side];
  await page.goto(`${info.apiUrl}${base}/?mode=${mode}`);
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('.shell').waitFor();
  await page.close();
}

async function showAll(page, { base, mode, paths, lists }, pictureOf) {
  await page.goto(`${info.apiUrl}${base}/?mode=${mode}`);
  for (const one of paths) {
    const name = one.slice(1).replace('?part=', '-').replaceAll('/', '-') || 'home';
    await goTo(page, `${base}${one}${one.includes('?') ? '&' : '?'}mode=${mode}`);
    await shoot(page, pictureOf(name));
    if (!lists.includes(one)) continue;
    const row = page.getByRole('table').getByRole('link').first();
    if ((await row.count()) === 0) continue;
    await row.click();
    await shoot(page, pictureOf(`${name}-detail`));
  }
}

/** Goes to an address without a reload, each of which is a refresh of the session: those are few a minute. */
async function goTo(page, address) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
}

/** Undefined for a page that the README does not show, when its pictures are made. */
function fileOf(name, look) {
  if (!isForReadme) return path.join(target, `${name}-${look}.png`);
  return README_PAGES[name] && path.join(target, `${README_PAGES[name]}-${look}.webp`);
}

async function shoot(page, file) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  if (!page.url().includes('/design')) await allLoaded(page);
  if (!file) return;
  await page.waitForTimeout(700);
  if (isForReadme) await shootSmall(page, file);
  else await page.screenshot({ path: file, fullPage: true });
  count += 1;
}

/** Nothing is on its way, twice in a row: a page that was just gone to has not begun to ask. */
async function allLoaded(page) {
  for (let quiet = 0; quiet < 2; quiet += 1) {
    await page.waitForTimeout(300);
    const waiting = page.getByText('Loading…').first();
    if ((await waiting.count()) > 0) quiet = -1;
    await waiting.waitFor({ state: 'detached' });
  }
}

/** The window alone, as webp, which the browser writes and playwright does not. */
async function shootSmall(page, file) {
  const devtools = await page.context().newCDPSession(page);
  const shot = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  writeFileSync(file, Buffer.from(shot.data, 'base64'));
}
