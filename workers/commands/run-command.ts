/** What a command prints, and whether it did all that it was asked to. */
export interface CommandResult {
  text: string;
  isWhole: boolean;
}

/** One of the operators' commands. */
export interface Command {
  /** What it is for and how it is called. */
  usage: string;
  /** Throws an error with its usage for arguments that it does not understand. */
  run(args: string[]): Promise<CommandResult | string> | CommandResult | string;
}

/**
 * Prints what a command answers and ends the process with 0; with 1 when not all was done, or with the
 * message of its error on standard error.
 */
export async function runCommand(command: Command, args: string[]): Promise<void> {
  try {
    const result = await command.run(args);
    const { text, isWhole } = typeof result === 'string' ? { text: result, isWhole: true } : result;
    if (text !== '') process.stdout.write(`${text}\n`);
    process.exit(isWhole ? 0 : 1);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
