/** Thrown at start for a bad or missing variable; its message is one sentence that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
