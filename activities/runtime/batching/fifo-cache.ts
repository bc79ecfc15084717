/** Forgets its oldest entry when it is full, so that no stream of new keys can fill the memory. */
export class FifoCache<K, V> extends Map<K, V> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: K, value: V): this {
    const oldest = this.size >= this.most && !this.has(key) ? this.keys().next() : undefined;
    if (oldest?.done === false) this.delete(oldest.value);
    return super.set(key, value);
  }
}
