import { createHash } from 'node:crypto';
import { pageScript } from './page-script';

export interface Page {
  title: string;
  intro: string;
  /** Which step of the script the button runs. */
  step: 'verify' | 'reset' | 'invite' | 'partnerInvite' | 'claim' | 'unsubscribe';
  fields: PageField[];
  button: string;
  /** The words when it worked. */
  done: string;
}

interface PageField {
  name: 'name' | 'email' | 'password' | 'code';
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  optional?: true;
}

const pageStyle = `
body { margin: 0; background: #f4f5f7; color: #1c2330; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 8px; }
h1 { margin: 0 0 1rem; font-size: 1.3rem; }
label { display: block; margin: 0 0 1rem; }
input { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; padding: .6rem;
  border: 1px solid #b5bccb; border-radius: 6px; font: inherit; }
button { padding: .7rem 1.2rem; border: 0; border-radius: 6px; background: #2456d6; color: #fff;
  font: inherit; cursor: pointer; }
`;

/** Script and style are named by their hashes; nothing else runs, and no page may frame it. */
export const pagePolicy = [
  "default-src 'none'",
  `script-src '${hashOf(pageScript)}'`,
  `style-src '${hashOf(pageStyle)}'`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page is the same for every token: the script reads it from the address. */
export function renderPage({ title, intro, step, fields, button, done }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${intro}</p>
<form method="post" data-step="${step}" data-done="${done}">
${fields.map(renderField).join('\n')}
<button type="submit">${button}</button>
</form>
<p role="status"></p>
</main>
<script>${pageScript}</script>
</body>
</html>
`;
}

function renderField({ name, label, type, autocomplete, optional }: PageField): string {
  const required = optional ? '' : ' required';
  return `<label>${label}<input name="${name}" type="${type}" autocomplete="${autocomplete}"${required}></label>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
