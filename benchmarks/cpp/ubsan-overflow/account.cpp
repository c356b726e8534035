// A ledger: books transactions, computes interest and prints balances.
extern "C" int printf(const char *, ...);

namespace ledger {
typedef int cents;
typedef unsigned long key;

struct date {
  int year, month, day;
  int days() const { return (year - 1970) * 365 + month * 30 + day; }
};

class account {
  key number;
  cents balance;
  date opened;
  account *next;

public:
  account(key k, date d, account *n) : number(k), balance(0), opened(d), next(n) {}
  virtual ~account() { delete next; }
  virtual int rate(date) const { return 0; }
  bool withdraw(cents amount) {
    if (amount > balance)
      return false;
    balance -= amount;
    return true;
  }
  void deposit(cents amount) { balance += amount; }
  cents total() const { return balance; }
  key id() const { return number; }
  int age(date today) const { return today.days() - opened.days(); }
  account *following() const { return next; }
};

class savings : public account {
  int base;

public:
  savings(key k, date d, account *n, int b) : account(k, d, n), base(b) {}
  int rate(date today) const override { return base + age(today) / 3650; }
};

template <class Visitor> void each(account *first, Visitor visitor) {
  for (account *at = first; at; at = at->following())
    visitor(*at);
}

class bank {
  account *first = nullptr;
  key last = 100;

public:
  ~bank() { delete first; }
  account &open(date d) { return *(first = new account(++last, d, first)); }
  account &open(date d, int base) { return *(first = new savings(++last, d, first, base)); }
  account *find(key k) const {
    for (account *at = first; at; at = at->following())
      if (at->id() == k)
        return at;
    return nullptr;
  }
  bool transfer(key from, key to, cents amount) {
    account *source = find(from), *target = find(to);
    if (!source || !target || !source->withdraw(amount))
      return false;
    target->deposit(amount);
    return true;
  }
  void interest(date today) {
    each(first, [=](account &a) { a.deposit(a.total() * a.rate(today) / 100); });
  }
  cents total() const {
    cents sum = 0;
    each(first, [&sum](account &a) { sum += a.total(); });
    return sum;
  }
};

struct command {
  enum { pay, move, yield } what;
  key from, to;
  cents amount;
};

static unsigned checksum(const command *commands, int count) {
  unsigned sum = 17;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + static_cast<unsigned>(commands[i].from ^ commands[i].to);
  return sum;
}

static int run(bank &b, const command *commands, int count, date today) {
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    const command &c = commands[i];
    switch (c.what) {
    case command::pay:
      if (account *a = b.find(c.to))
        a->deposit(c.amount);
      break;
    case command::move:
      refused += !b.transfer(c.from, c.to, c.amount);
      break;
    case command::yield:
      b.interest(today);
    }
  }
  return refused;
}
} // namespace ledger

int main() {
  using namespace ledger;
  bank b;
  date start = {2001, 3, 14}, today = {2024, 12, 31};
  b.open(start);
  b.open({2010, 1, 1}, 3);
  b.open({1999, 5, 5}, 4);
  static const command commands[] = {
      {command::pay, 0, 101, 50000},       {command::pay, 0, 102, 1200345},
      {command::move, 101, 102, 20000},    {command::yield, 0, 0, 0},
      {command::move, 101, 103, 40000},    {command::pay, 0, 103, 400000000},
      {command::yield, 0, 0, 0},           {command::move, 103, 101, 150000},
  };
  int refused = run(b, commands, 8, today);
  printf("%d cents, %d refused, %u\n", b.total(), refused, checksum(commands, 8));
  return 0;
}
