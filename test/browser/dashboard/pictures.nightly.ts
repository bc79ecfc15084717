import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser';
import { Stage, heading } from './stage';

/**
 * What pages look like, held against pictures that the same Chromium made; another one draws letters
 * otherwise. `UPDATE_PICTURES=1 TEST_NIGHTLY=1 npx jest test/browser/dashboard/pictures` makes them anew.
 */
const folder = path.join(__dirname, '../../fixtures/pictures');
const versionFile = path.join(folder, 'chromium.txt');
const isUpdate = process.env['UPDATE_PICTURES'] === '1';

const pages: readonly (readonly [path: string, heading: string])[] = [
  ['', 'Get started'],
  ['inbox', 'Inbox'],
  ['sales', 'Sales'],
  ['commissions', 'Commissions'],
  ['design', 'Components'],
];

describeInBrowser('pages look as they did', () => {
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    stage = await Stage.open();
    const { context } = await stage.merchant();
    page = await context.newPage();
    await page.goto(`${stage.app.url}/app`);
    await heading(page, 'Get started').waitFor();
    mkdirSync(folder, { recursive: true });
    if (isUpdate) writeFileSync(versionFile, `${stage.browser.version()}\n`);
  }, 90_000);
  afterAll(() => stage.close());

  const isComparable = (): boolean =>
    existsSync(versionFile) && readFileSync(versionFile, 'utf8').trim() === stage.browser.version();

  async function show(name: string, title: string): Promise<void> {
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, `/app/${name}`);
    await heading(page, title).waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }

  it.each(pages.flatMap((one) => ['light', 'dark'].map((theme) => [...one, theme] as const)))(
    '/%s, %s, %s',
    async (name, title, theme) => {
      await page.emulateMedia({ colorScheme: theme as 'light', reducedMotion: 'reduce' });
      await show(name, title);
      // A key differs each time.
      const mask = [page.locator('code'), page.locator('.line')];
      const picture = await page.screenshot({ mask, animations: 'disabled' });
      const file = path.join(folder, `${name || 'start'}-${theme}.png`);
      if (isUpdate) writeFileSync(file, picture);
      if (!isComparable()) return;
      expect([name, theme, await differs(page, picture, readFileSync(file))]).toEqual([
        ...[name, theme, 0],
      ]);
    },
    60_000,
  );
});

/** How many of a thousand points are of a clearly other colour. */
function differs(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return page.evaluate(
    async (pictures) => {
      const points = await Promise.all(
        pictures.map(async (base64) => {
          const image = new Image();
          image.src = `data:image/png;base64,${base64}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height);
          const brush = canvas.getContext('2d');
          brush?.drawImage(image, 0, 0);
          return brush?.getImageData(0, 0, image.width, image.height).data ?? [];
        }),
      );
      const [left = [], right = []] = points;
      if (left.length !== right.length) return 1_000;
      let count = 0;
      for (let at = 0; at < left.length; at += 4) {
        const step = [0, 1, 2].map((part) =>
          Math.abs((left[at + part] ?? 0) - (right[at + part] ?? 0)),
        );
        if (Math.max(...step) > 32) count += 1;
      }
      return Math.floor((count * 4_000) / left.length);
    },
    [one.toString('base64'), other.toString('base64')],
  );
}
