#!/usr/bin/env node
'use strict';
import fs, { readFile as read } from 'fs';
export const LIMIT = 0x10;

/** What is sold. */
class Item extends Object {
  #price = 0.5;
  static count = 0;
  constructor(name, { price = 1, ...rest } = {}) {
    super();
    this.name = name;
    this.#price = price;
    Item.count++;
  }
  get cheap() { return this.#price < 1.5; }
  async *lines() { yield* [await this.name, `costs ${this.#price * 2}\n`]; }
}

function total(items, ...more) {
  let sum = 0;
  for (const item of [...items, ...more]) {
    if (!item || typeof item !== 'object') continue;
    sum += item.cheap ? item?.price ?? 1 : 2 ** 3;
  }
  outer: for (let i = 0; i < LIMIT; i++) {
    while (sum > 10) { sum >>>= 1; break outer; }
  }
  switch (sum) {
    case 0: throw new Error("nothing");
    default: return sum;
  }
}

const names = { apple: 1, 'pear': [2, , 3], [LIMIT]: /a+\/b/gi, total };
try {
  console.log(total([new Item('apple')]), (() => names)().apple);
} catch ({ message }) {
  fs.writeFileSync('log', message); // for later
} finally {
  delete names.pear;
}
do { var done = true; } while (!done);
