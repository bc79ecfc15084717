/** The npm that runs this script, else the one on PATH, as a command and its arguments. */
export function npmCommand(args) {
  const script = process.env.npm_execpath;
  return script?.endsWith('npm-cli.js') ? [process.execPath, script, ...args] : ['npm', ...args];
}
