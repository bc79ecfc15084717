/**
 * What is under way just now, where something begins and ends all the time. A Set that is filled and
 * emptied like this drops one table after the other, each of which keeps what was in it and points
 * to the next. The collector of young objects keeps whatever an old one points to, so as soon as one
 * dropped table has grown old, all later ones grow old with all that they held, 300 bytes a click. An
 * array whose places are used again leaves nothing behind.
 */
export class UnderWay<T> {
  private readonly places: (T | undefined)[] = [];
  private readonly free: number[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Gives its place, with which it is removed. */
  add(item: T): number {
    const place = this.free.pop() ?? this.places.length;
    this.places[place] = item;
    this.count += 1;
    return place;
  }

  /** Once for each place that was given. */
  remove(place: number): void {
    this.places[place] = undefined;
    this.free.push(place);
    this.count -= 1;
  }

  /** In no order. */
  all(): T[] {
    return this.places.filter((item) => item !== undefined);
  }
}
