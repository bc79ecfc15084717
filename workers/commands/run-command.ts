/** What a command prints, and whether it did all that it was asked to. */
export interface CommandResult {
  text: string;
  isWhole: boolean;
}

/**
 * Runs an operator's command with the arguments of its process: prints what it answers and ends with
 * 0; with 1 when not all was done, or with the message of its error on standard error.
 */
export function runCommand(
  main: (args: string[]) => Promise<CommandResult | string> | CommandResult | string,
): void {
  Promise.resolve(process.argv.slice(2))
    .then(main)
    .then(
      (result) => {
        const { text, isWhole } =
          typeof result === 'string' ? { text: result, isWhole: true } : result;
        if (text !== '') process.stdout.write(`${text}\n`);
        process.exit(isWhole ? 0 : 1);
      },
      (error: Error) => {
        process.stderr.write(`${error.message}\n`);
        process.exit(1);
      },
    );
}
