import type { Shop } from './shop';

/** What is sold. */
export interface Item<T = string> {
  readonly name: T;
  price?: number;
  [key: string]: unknown;
}

type Names = keyof Item | `${string}-name`;
type Boxed<T> = T extends Array<infer U> ? U : { value: T };
enum State { Open = 1, Paid = 'paid' }
declare module 'till' { export function print(line: string): void; }

abstract class Order<T extends Item> implements Iterable<T> {
  private items: T[] = [];
  constructor(protected readonly shop: Shop, public limit: number = 0x10) {}
  abstract total(rate?: number): number;
  @logged() add(item: T, ...more: T[]): this {
    this.items.push(item, ...more);
    return this;
  }
  *[Symbol.iterator](): Iterator<T> { yield* this.items; }
}

function cheap<T extends Item>(items: readonly T[], limit = 1.5): T[] {
  return items.filter((item): item is T => (item.price as number) < limit!);
}

namespace Till {
  export const open: [number, string] = [1, "a"];
}

let state: State | null = State.Open;
for (const item of cheap([{ name: 'apple', price: 0.5 }])) {
  if (item.name === 'pear') state = null; else console.log(`${item.name} ${state}`);
}
const box = <Boxed<string[]>>'x';
