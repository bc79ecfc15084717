import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compileLayout } from './compile';

const root = path.resolve(__dirname, '../../..');
const templates = path.join(root, 'activities/mail/templates');

/** Compiles the layout of mails, then writes the page that shows all of them. */
async function main(): Promise<void> {
  const html = await compileLayout(readFileSync(path.join(templates, 'layout.mjml'), 'utf8'));
  writeFileSync(path.join(templates, 'layout.html'), html);
  // The build's copy too: the page below is rendered with it.
  writeFileSync(path.join(__dirname, '../../activities/mail/templates/layout.html'), html);
  const { templatesPage } = await import('./page.js');
  const folder = path.join(root, 'docs/mail-templates');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'index.html'), templatesPage());
}

void main();
