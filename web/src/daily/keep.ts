// A shelf in localStorage: things under a prefix, each in a key of its own, so that two tabs can't overwrite
// each other's. A device that keeps nothing holds them for this page.

export class Shelf<T> {
  readonly #here = new Map<string, T>() // what the device didn't take

  constructor(
    readonly prefix: string,
    readonly isOne: (x: unknown) => x is T,
  ) {}

  get(name: string): T | undefined {
    return this.#here.get(name) ?? this.#read(this.prefix + name)
  }

  all(): T[] {
    const kept = keys().filter((key) => key.startsWith(this.prefix))
    return [...kept.flatMap((key) => this.#read(key) ?? []), ...this.#here.values()]
  }

  /** False where the device keeps nothing. */
  put(name: string, thing: T): boolean {
    try {
      localStorage.setItem(this.prefix + name, JSON.stringify(thing))
      this.#here.delete(name)
      return true
    } catch {
      this.#here.set(name, thing)
      return false
    }
  }

  delete(name: string): void {
    this.#here.delete(name)
    try {
      localStorage.removeItem(this.prefix + name)
    } catch {
      // it wasn't there
    }
  }

  #read(key: string): T | undefined {
    try {
      const thing: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
      return this.isOne(thing) ? thing : undefined
    } catch {
      return undefined
    }
  }
}

function keys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    return []
  }
}
