/** What is dear to make and cheap to use, kept for the next one who asks; the one that was asked for longest ago gives way. */
export class Kept<Value> {
  readonly #values = new Map<string, Value>();

  constructor(private readonly most: number) {}

  get(name: string, make: () => Value): Value {
    let value = this.#values.get(name);
    if (value === undefined) value = make();
    else this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > this.most) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }

  get size(): number {
    return this.#values.size;
  }
}
