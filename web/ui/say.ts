/** Says in a corner that something is done, such as `Saved.`; what shows it is loaded for the first. */
export async function say(title: string): Promise<void> {
  const { toasts } = await import('./toast');
  toasts.add({ title });
}
