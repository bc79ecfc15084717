import mjml2html from 'mjml';

/** The layout of mails as HTML with the marks of its parts still in it. */
export async function compileLayout(source: string): Promise<string> {
  const { html } = await mjml2html(source, {
    validationLevel: 'strict',
    keepComments: false,
    fonts: {},
  });
  // Indentation would be a third of every mail.
  return `${html
    .trim()
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n\s+/g, '\n')}\n`;
}
